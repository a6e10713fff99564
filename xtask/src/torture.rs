//! `cargo xtask torture`: the tests that can go on without end.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{cargo, execute, fuzz};

/// How long and at what. A seed stands for one case, which is played again.
#[derive(Debug, PartialEq, Eq)]
struct Plan<'a> {
    minutes: u64,
    seed: Option<&'a str>,
}

/// Plays cases drawn by lot on the simulated disk, kills writers, then lets each fuzz target run for as long.
pub fn run(args: &[&str]) -> Result<()> {
    let plan = plan(args)?;
    let mut disk = ignored_test("session-host", &["--lib", "cases_without_end"]);
    if let Some(seed) = plan.seed {
        return execute(disk.env("TORTURE_SEED", seed));
    }
    execute(disk.env("TORTURE_MINUTES", plan.minutes.to_string()))?;
    // The command is what is killed.
    execute(cargo().args(["build", "--release"]))?;
    let kills = 250 * plan.minutes.max(2);
    execute(
        ignored_test("session-tests", &["--test", "killed", "many_are_killed"]).env("TORTURE_KILLS", kills.to_string()),
    )?;
    fuzz::run_each(plan.minutes * 60)
}

fn plan<'a>(args: &[&'a str]) -> Result<Plan<'a>> {
    let mut plan = Plan { minutes: 5, seed: None };
    for pair in args.chunks(2) {
        match pair {
            ["--minutes", minutes] => {
                plan.minutes = minutes.parse().with_context(|| format!("`{minutes}` is no number of minutes"))?;
            }
            ["--seed", seed] => plan.seed = Some(seed),
            other => bail!("`{}` is no option of `cargo xtask torture`; say [--minutes N] [--seed S]", other.join(" ")),
        }
    }
    Ok(plan)
}

/// Runs one ignored test, and shows what it says.
fn ignored_test(package: &str, test: &[&str]) -> Command {
    let mut command = cargo();
    command.args(["test", "--release", "--package", package]).args(test).args(["--", "--ignored", "--nocapture"]);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_takes_five_minutes_unless_told_otherwise() {
        assert_eq!(plan(&[]).unwrap(), Plan { minutes: 5, seed: None });
        assert_eq!(plan(&["--minutes", "2", "--seed", "9"]).unwrap(), Plan { minutes: 2, seed: Some("9") });
    }

    #[test]
    fn what_it_does_not_know_is_refused() {
        for wrong in [&["--minutes"][..], &["--minutes", "soon"], &["fast"]] {
            assert!(plan(wrong).is_err());
        }
    }
}
