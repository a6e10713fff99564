//! Each call on storage fails in its turn: whoever gets an error finds the events as they were, or is told that it is unknown.

use super::*;

type Act = fn(&mut Sessions) -> Result<(), Error>;

/// The log of a session whose turn is open.
fn interrupted() -> String {
    log_of(&[("session/boundary", "{}"), ("turn/start", "{\"turn\":1}")])
}

/// Plays on a fresh disk for every call on storage that there is; answers how many there were.
fn every_call_fails(log: &str, act: Act) -> u64 {
    for calls in 0.. {
        let disk = Disk::default();
        disk.put("s", log);
        let mut sessions = disk.sessions();
        disk.fail_after(calls);
        let answer = act(&mut sessions);
        if disk.is_to_fail() {
            answer.unwrap();
            return calls;
        }
        let is_as_before = log.starts_with(&disk.text("s")) && disk.text("s").starts_with(&interrupted());
        let Err(error) = answer else { panic!("call {calls} failed and nobody was told") };
        assert!(
            is_as_before || matches!(error, Error::OutcomeUnknown(_)),
            "call {calls}: {error:?}\n{}",
            disk.text("s")
        );
        // Whatever happened, the session goes on.
        let woken = sessions.wake("s", CLOSE).unwrap();
        assert_eq!(sessions.emit("s", "a".into(), "1".into()), Ok(woken.length));
    }
    unreachable!("some call is the last one")
}

#[test]
fn a_wake_that_fails_has_closed_nothing_or_says_that_it_may_have() {
    let wake: Act = |sessions| sessions.wake("s", CLOSE).map(drop);
    assert!(every_call_fails(&interrupted(), wake) > 5);
    assert!(every_call_fails(&(interrupted() + "{\"torn"), wake) > 6);
}

#[test]
fn a_load_that_fails_has_closed_nothing_or_says_that_it_may_have() {
    let load: Act = |sessions| sessions.load("s").map(drop);
    assert!(every_call_fails(&interrupted(), load) > 6);
    assert!(every_call_fails(&(interrupted() + "{\"torn"), load) > 7);
}

#[test]
fn an_append_that_fails_has_added_nothing_or_says_that_it_may_have() {
    let calls = every_call_fails(&interrupted(), |sessions| sessions.append("s", &[event(2, "a", "1")]));
    assert!(calls > 2);
    let calls = every_call_fails(&interrupted(), |sessions| sessions.hand_off("s", "{}".into()).map(drop));
    assert!(calls > 3);
}
