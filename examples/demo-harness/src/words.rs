//! What went wrong, said to the person who started the harness.

use crate::bindings::agent::session::types::Error;

/// The end of a sentence: «can't wake fix-login: another writer holds it».
pub fn why(error: &Error) -> String {
    match error {
        Error::NotFound(id) => format!("there is no session {id}"),
        Error::AlreadyExists(id) => format!("there is a session {id} already"),
        Error::Busy(who) => format!("another writer holds it ({who})"),
        Error::Sequence(conflict) => format!("its log goes on with seq {}, not {}", conflict.expected, conflict.actual),
        Error::Rejected(event) => event.reason.clone(),
        Error::UnsupportedVersion(version) => format!("its log has format version {version}, which can't be read here"),
        Error::NeedsWake(damage) => format!("its log is torn from event {} on", damage.expected),
        Error::Corrupt(damage) => format!("its log is damaged from event {} on", damage.expected),
        Error::NoSpace => "no space is left".into(),
        Error::ReadOnly => "nothing can be written where it is kept".into(),
        Error::InvalidId(text)
        | Error::Refused(text)
        | Error::Moved(text)
        | Error::TooLarge(text)
        | Error::AccessDenied(text)
        | Error::OutcomeUnknown(text)
        | Error::Storage(text) => text.clone(),
    }
}
