//! The command line: what can be typed, and which file answers it.

use std::path::PathBuf;

use anyhow::Result;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand, value_parser};

use crate::commands::*;
use crate::exit::Exit;
use crate::place::Place;
use crate::store::{self, Store};

/// Durable sessions for agents: an append-only log per session that outlives whatever wrote it.
///
/// Exit codes: 0 done · 1 other · 2 usage · 3 not found · 4 busy · 5 damaged, or must be woken first · 6 refused input · 7 no space or no right.
#[derive(Parser)]
#[command(name = "session", version, max_term_width = 110)]
pub struct Cli {
    /// Folder of the sessions [default: $SESSION_ROOT, else the platform's data folder]
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// What the sessions are kept in: jsonl:DIR, sqlite:FILE or memory: [default: $SESSION_STORE, else --root]
    #[arg(long, global = true, conflicts_with = "root", value_parser = store::parser())]
    pub store: Option<Store>,
    /// Answer in JSON, one value a line
    #[arg(long, global = true)]
    pub json: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// What was typed.
    ///
    /// # Errors
    /// What is wrong with it; or the help, if that was asked for.
    pub fn read() -> Result<Self, clap::Error> {
        let typed = Self::parser().try_get_matches().and_then(|typed| Self::from_arg_matches(&typed));
        let cli = typed.map_err(with_a_tip)?;
        match cli.useless_option() {
            Some((option, name)) => {
                let sentence = format!("`session {name}` has no use for `{option}`");
                Err(Self::command().error(ErrorKind::ArgumentConflict, sentence))
            }
            None => Ok(cli),
        }
    }

    /// What reads the command line. An option that a command has no use for is read, to be refused by its name, and is hidden.
    pub fn parser() -> clap::Command {
        let root = || Arg::new("root").long("root").value_parser(value_parser!(PathBuf)).hide(true);
        let store = || Arg::new("store").long("store").value_parser(store::parser()).hide(true);
        let json = Arg::new("json").long("json").action(ArgAction::SetTrue).hide(true);
        Self::command()
            .mut_subcommand("compose", |compose| compose.arg(root()).arg(store()))
            .mut_subcommand("demo", |demo| demo.arg(root()).arg(store()))
            .mut_subcommand("completions", |completions| completions.arg(root()).arg(store()).arg(json))
    }

    /// An option that the command could only ignore, and the command's name.
    fn useless_option(&self) -> Option<(&'static str, &'static str)> {
        match self.command {
            Command::Compose(_) if self.root.is_some() => Some(("--root", "compose")),
            Command::Compose(_) if self.store.is_some() => Some(("--store", "compose")),
            Command::Demo(_) if self.root.is_some() => Some(("--root", "demo")),
            Command::Demo(_) if self.store.is_some() => Some(("--store", "demo")),
            Command::Completions(_) if self.root.is_some() => Some(("--root", "completions")),
            Command::Completions(_) if self.store.is_some() => Some(("--store", "completions")),
            Command::Completions(_) if self.json => Some(("--json", "completions")),
            _ => None,
        }
    }
}

/// An id is never guessed: whoever left it out is told how to find it, unless it is to be a new one.
fn with_a_tip(mut error: clap::Error) -> clap::Error {
    let missing = error.get(ContextKind::InvalidArg);
    let lacks_id =
        matches!(missing, Some(ContextValue::Strings(missing)) if missing.iter().any(|name| name.contains("<ID")));
    if error.kind() == ErrorKind::MissingRequiredArgument && lacks_id {
        let typed = Cli::command().ignore_errors(true).try_get_matches();
        if typed.as_ref().is_ok_and(|typed| typed.subcommand_name() == Some("create")) {
            return error;
        }
        let (root, store) = match &typed {
            Ok(typed) => (typed.get_one::<PathBuf>("root"), typed.get_one::<Store>("store")),
            Err(_) => (None, None),
        };
        if let Ok(place) = Place::find(store, root.map(PathBuf::as_path)) {
            let tip = format!("`{}` shows the sessions, those last written to first", place.command("list --recent"));
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        }
    }
    error
}

/// Declares the subcommands once: each has a module with its `Args`, which know how to run.
macro_rules! commands {
    ($($(#[$doc:meta])* $name:ident in $module:ident $(about $id:ident)?;)*) => {
        /// A subcommand.
        #[derive(Subcommand)]
        pub enum Command {
            $($(#[$doc])* $name($module::Args),)*
        }

        impl Command {
            /// Does it.
            pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
                match self {
                    $(Command::$name(args) => args.run(place, json),)*
                }
            }

            /// The session that the command is about, if it is about one.
            pub fn id(&self) -> Option<&str> {
                match self {
                    $($(Command::$name(args) => Some(args.$id.as_str()),)?)*
                    Command::Verify(args) => args.id.as_deref(),
                    _ => None,
                }
            }
        }
    };
}

commands! {
    /// Create a session; its header alone is on disk
    Create in create about id;
    /// Append events from standard input, one JSON object a line
    Append in append about id;
    /// Append one event, with `seq` and `time` given to it
    Emit in emit about id;
    /// Print the events, as a timeline
    Show in show about id;
    /// Print the conversation that the events amount to, as a model is to see it
    Messages in messages about id;
    /// Print the tree of a session, the newest entry first, with its branches drawn beside it
    Tree in tree about id;
    /// Print what a session used: the rows of its ledger, and their sum
    Usage in usage about id;
    /// Print the values that are kept in a session
    Values in values about id;
    /// Take a session over after a crash: set a torn tail aside, close an open turn
    Wake in wake about id;
    /// Tell where a session stands and what waking it would do, without writing a byte
    Inspect in inspect about id;
    /// List what was set aside from a session's log, or print one piece of it
    Aside in aside about id;
    /// List the sessions
    List in list;
    /// Make a new session out of the first events of another
    Fork in fork about id;
    /// Copy sessions to another store, byte for byte, with what was set aside from them
    Copy in copy;
    /// Import session files of another program, as sessions with a tree
    Import in import;
    /// Export the tree of a session as a session file of another program
    Export in export about id;
    /// Tell whether a session is stored (exit code 3: it is not)
    Has in has about id;
    /// Remove a session and all that belongs to it
    Delete in delete about id;
    /// Print every rule of turns and steps that the events break (exit code 1: some)
    Check in check about id;
    /// Read every byte and tell what is damaged, and where (exit code 5: something)
    Verify in verify;
    /// Print events as another process appends them
    Follow in follow about id;
    /// Mark a hand-over in the log, and print the record that whoever goes on needs
    Handoff in handoff about id;
    /// Run a harness, a WebAssembly component, on one session and nothing else
    Run in run about id;
    /// Plug a harness into the session component: one file that needs only storage and a clock
    ///
    /// No grant stands between the two in that file: the harness can reach every session of the storage that it is given.
    Compose in compose;
    /// Watch a harness be stopped in the middle of its work, and its session go on without a lost event
    Demo in demo;
    /// Print a completion script for a shell
    Completions in completions;
}
