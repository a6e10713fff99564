//! Many tenants in one process.
//!
//! Each tenant has a folder of its own, so that none can see or crowd out another, and limits of its own; each unit of work
//! runs a harness in a sandbox that may touch one session and nothing else. Units run side by side on a thread pool. A harness
//! that hangs, or takes too much memory, is stopped alone: its session is whole, and the next unit wakes it.

pub mod pool;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, ensure};
use session_host::{Engine, Grant, Harness, HarnessError, JsonlFolder, Limits, Sessions};

/// How many instances of the session component serve one tenant's own calls at the most. They are made as they are needed.
pub const INSTANCES: usize = 4;

/// What the tenants share: the engine and the compiled harness, which hold nothing of anybody.
pub struct Platform {
    engine: Engine,
    harness: Harness,
    root: PathBuf,
    /// Those that were asked for. A service of very many would drop who has been idle for long: that costs nothing but
    /// opening the folder again.
    tenants: Mutex<HashMap<String, Arc<Tenant>>>,
}

/// One customer: sessions in a folder, and how much a unit of its work may use.
pub struct Tenant {
    /// Its sessions, for the platform's own calls: list, read, derive messages.
    pub sessions: Sessions,
    limits: Limits,
}

/// What is to be done: by whom, in which session, with what words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// The tenant's name.
    pub tenant: String,
    /// The session's id; two tenants may well have the same.
    pub session: String,
    /// What the harness is told.
    pub input: String,
}

impl Platform {
    /// Tenants in folders below `root`, their work done by a component of the world `harness`.
    ///
    /// # Errors
    /// If it is no such component.
    pub fn new(engine: Engine, harness: &[u8], root: impl Into<PathBuf>) -> Result<Self> {
        let harness = engine.load_harness(harness)?;
        Ok(Self { engine, harness, root: root.into(), tenants: Mutex::default() })
    }

    /// The tenant of that name, with these limits if it is asked for the first time.
    ///
    /// # Errors
    /// If its folder can't be opened, or its name is none for a folder.
    pub fn tenant(&self, name: &str, limits: &Limits) -> Result<Arc<Tenant>> {
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tenant) = tenants.get(name) {
            return Ok(Arc::clone(tenant));
        }
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        ensure!(
            !name.is_empty() && name.bytes().all(plain),
            "a tenant is named by a-z, 0-9 and -, which `{name}` is not"
        );
        let folder = JsonlFolder::open(self.root.join(name)).with_context(|| format!("tenant {name}"))?;
        let sessions = Sessions::builder(&self.engine).limits(limits.clone()).instances(INSTANCES).open(folder);
        let tenant = Arc::new(Tenant { sessions, limits: limits.clone() });
        tenants.insert(name.into(), Arc::clone(&tenant));
        Ok(tenant)
    }

    /// Does one unit of work, in a fresh instance of the harness that may touch this session alone.
    ///
    /// # Errors
    /// Those of the harness. What it had appended is kept in every case.
    pub fn run(&self, tenant: &Tenant, session: &str, input: &str) -> Result<String, HarnessError> {
        self.harness.run(&tenant.sessions, Grant::session(session), tenant.limits.clone(), session, input)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use session_host::{Pairing, WakeOptions};

    use super::*;

    fn platform(root: &tempfile::TempDir) -> Platform {
        let harness = include_bytes!("../../../host/component/demo-harness.wasm");
        Platform::new(Engine::new().unwrap(), harness, root.path()).unwrap()
    }

    #[test]
    fn tenants_have_sessions_of_the_same_name_and_none_sees_the_other_s() {
        let root = tempfile::tempdir().unwrap();
        let platform = platform(&root);
        let [one, two] = ["one", "two"].map(|name| platform.tenant(name, &Limits::default()).unwrap());
        platform.run(&one, "s", "The words of one.").unwrap();
        assert!(!two.sessions.has("s").unwrap());
        platform.run(&two, "s", "The words of two.").unwrap();
        for (tenant, words) in [(one, "The words of one."), (two, "The words of two.")] {
            let first = tenant.sessions.messages("s", Pairing::Paired).next().unwrap().unwrap();
            assert!(first.content.contains(words), "{}", first.content);
        }
    }

    #[test]
    fn a_harness_that_hangs_is_stopped_alone_and_the_next_finishes_its_session() {
        let root = tempfile::tempdir().unwrap();
        let platform = platform(&root);
        let impatient = Limits { deadline: Duration::from_secs(1), ..Limits::default() };
        let hangs = platform.tenant("hangs", &impatient).unwrap();
        let tenants = [hangs, platform.tenant("works", &Limits::default()).unwrap()];
        let done =
            pool::run(2, &[(0, "stall"), (1, "Begin.")], |(tenant, input)| platform.run(&tenants[*tenant], "s", input));
        assert_eq!(done[0].0, Err(HarnessError::Deadline { limit: impatient.deadline }));
        assert!(done[1].0.is_ok());

        assert!(platform.run(&tenants[0], "s", "Go on.").is_ok());
        let state = tenants[0].sessions.wake("s", WakeOptions::default()).unwrap();
        assert!(state.recovery.closers.is_empty());
        assert_eq!(tenants[0].sessions.check("s").unwrap(), [""; 0]);
    }

    #[test]
    fn a_tenant_s_name_leads_nowhere_else() {
        let root = tempfile::tempdir().unwrap();
        let platform = platform(&root);
        for name in ["", ".", "..", "a/b", "../a", "A", "a b"] {
            assert!(platform.tenant(name, &Limits::default()).is_err(), "{name}");
        }
    }
}
