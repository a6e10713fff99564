//! The rules of a log once more, written so that they are obviously right: slow, all in memory, JSON by serde_json.
//! Tests and fuzzers compare the component with it. Nothing is shared with the component but the words of `docs/`.

mod agreement;
mod closers;
mod json;
mod log;
mod record;

pub use agreement::assert_agreement;
pub use closers::closers;
pub use log::{Broken, Kind, Log, NoLog, read};
pub use record::{Header, NoHeader, Record, header, record};
