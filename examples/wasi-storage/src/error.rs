//! What the errors of WASI mean to sessions.

use crate::storage::StorageError;
use crate::wasi::filesystem::types::{ErrorCode, filesystem_error_code};
use crate::wasi::io::streams::StreamError;

/// Why something did not come about.
pub enum Error {
    /// What WASI says.
    Code(ErrorCode),
    /// What we say.
    Told(String),
}

/// What an act on files comes to.
pub type Io<T = ()> = Result<T, Error>;

/// What a call of this component comes to.
pub type Answer<T = ()> = Result<T, StorageError>;

impl From<ErrorCode> for Error {
    fn from(code: ErrorCode) -> Self {
        Self::Code(code)
    }
}

impl From<StreamError> for Error {
    fn from(error: StreamError) -> Self {
        match error {
            StreamError::Closed => Self::Told("it takes no more bytes".into()),
            StreamError::LastOperationFailed(error) => match filesystem_error_code(&error) {
                Some(code) => Self::Code(code),
                None => Self::Told(error.to_debug_string()),
            },
        }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            // Its words go on with what POSIX calls it.
            Self::Code(code) => f.write_str(code.message().split(", similar to").next().unwrap_or(code.name())),
            Self::Told(text) => f.write_str(text),
        }
    }
}

/// Tells a failed act on files.
pub trait Explain<T> {
    /// Says what was being done, and to which file of the store.
    fn explain(self, doing: &str, name: &str) -> Answer<T>;
}

impl<T> Explain<T> for Io<T> {
    fn explain(self, doing: &str, name: &str) -> Answer<T> {
        self.map_err(|error| {
            let told = |error| format!("can't {doing} `{name}`: {error}");
            match error {
                Error::Code(ErrorCode::NoEntry) => StorageError::NotFound,
                Error::Code(ErrorCode::InsufficientSpace | ErrorCode::Quota | ErrorCode::FileTooLarge) => {
                    StorageError::NoSpace
                }
                Error::Code(ErrorCode::ReadOnly) => StorageError::ReadOnly,
                Error::Code(ErrorCode::Access | ErrorCode::NotPermitted) => StorageError::AccessDenied(told(error)),
                Error::Code(ErrorCode::NameTooLong | ErrorCode::IllegalByteSequence) => {
                    StorageError::InvalidId(format!("there can't be a file `{name}`: {error}"))
                }
                _ => StorageError::Failed(told(error)),
            }
        })
    }
}

/// Answers `otherwise` where there is nothing of that name.
pub fn missing_is<T>(result: Io<T>, otherwise: T) -> Io<T> {
    match result {
        Err(Error::Code(ErrorCode::NoEntry)) => Ok(otherwise),
        other => other,
    }
}
