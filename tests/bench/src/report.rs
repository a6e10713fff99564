//! What was measured, as a table for people or as JSON.

use std::fs::{self, File};
use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::json;

use crate::place::TARGET;

/// What figures are given in.
#[derive(Clone, Copy)]
pub struct Unit {
    name: &'static str,
    in_a_second: f64,
}

pub const MICROSECONDS: Unit = Unit { name: "µs", in_a_second: 1e6 };
pub const MILLISECONDS: Unit = Unit { name: "ms", in_a_second: 1e3 };

/// One line of the table.
pub struct Row {
    pub name: &'static str,
    /// What was done, at the size that it was done at.
    pub work: String,
    ours: f64,
    baseline: f64,
    unit: &'static str,
    pub baseline_name: &'static str,
    /// The ratio to reach, and what else is wanted.
    pub goal: &'static str,
}

impl Row {
    /// How long we took, and how long the baseline.
    pub fn times(name: &'static str, [ours, baseline]: [Duration; 2], unit: Unit) -> Self {
        let figure = |time: Duration| time.as_secs_f64() * unit.in_a_second;
        Self::figures(name, [figure(ours), figure(baseline)], unit.name)
    }

    /// Two figures, of which the smaller one is better.
    pub fn figures(name: &'static str, [ours, baseline]: [f64; 2], unit: &'static str) -> Self {
        Self { name, ours, baseline, unit, work: String::new(), baseline_name: "", goal: "" }
    }

    pub fn work(self, work: impl Into<String>) -> Self {
        Self { work: work.into(), ..self }
    }

    pub fn beside(self, baseline_name: &'static str) -> Self {
        Self { baseline_name, ..self }
    }

    pub fn goal(self, goal: &'static str) -> Self {
        Self { goal, ..self }
    }

    fn ratio(&self) -> f64 {
        self.ours / self.baseline
    }

    fn json(&self) -> String {
        // By hand, because the members are to stand in this order.
        format!(
            r#"{{"name":{},"ours":{},"baseline":{},"unit":{},"ratio":{},"baseline_name":{}}}"#,
            json!(self.name),
            json!(self.ours),
            json!(self.baseline),
            json!(self.unit),
            json!(self.ratio()),
            json!(self.baseline_name)
        )
    }

    fn line(&self) -> String {
        let (ours, baseline) = (figure(self.ours), figure(self.baseline));
        columns([
            self.name,
            &ours,
            &baseline,
            self.unit,
            &figure(self.ratio()),
            self.goal,
            self.baseline_name,
            &self.work,
        ])
    }
}

/// Three digits of it.
fn figure(value: f64) -> String {
    let decimals = match value {
        100.0.. => 0,
        10.0.. => 1,
        1.0.. => 2,
        0.1.. => 3,
        0.01.. => 4,
        _ => 5,
    };
    format!("{value:.decimals$}")
}

fn columns([name, ours, baseline, unit, ratio, goal, beside, work]: [&str; 8]) -> String {
    format!("{name:<21} {ours:>8} {baseline:>8} {unit:<4} {ratio:>7}  {goal:<12} {beside:<35} {work}")
}

/// Where rows go.
pub struct Report {
    json: bool,
    file: File,
}

impl Report {
    /// Begins a table, or lines of JSON; the file has the JSON in any case.
    pub fn new(json: bool) -> Result<Self> {
        fs::create_dir_all(TARGET).with_context(|| format!("can't make {TARGET}"))?;
        let path = format!("{TARGET}/results.jsonl");
        let file = File::create(&path).with_context(|| format!("can't write {path}"))?;
        if !json {
            println!("{}", columns(["name", "ours", "baseline", "unit", "ratio", "goal", "baseline's name", "work"]));
        }
        Ok(Self { json, file })
    }

    /// Adds one row.
    pub fn add(&mut self, row: &Row) -> Result<()> {
        writeln!(self.file, "{}", row.json())?;
        println!("{}", if self.json { row.json() } else { row.line() });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        let times = [Duration::from_micros(3), Duration::from_micros(2)];
        Row::times("append", times, MICROSECONDS).beside("write").goal("2.5").work("256 B")
    }

    #[test]
    fn json_has_its_members_in_order_and_a_ratio_that_is_smaller_when_ours_is_faster() {
        let json = r#"{"name":"append","ours":3.0,"baseline":2.0,"unit":"µs","ratio":1.5,"baseline_name":"write"}"#;
        assert_eq!(row().json(), json);
    }

    #[test]
    fn figures_have_three_digits() {
        assert_eq!([123.4, 12.34, 1.234, 0.1234, 0.01234].map(figure), ["123", "12.3", "1.23", "0.123", "0.0123"]);
    }
}
