//! A store that is wrong in one way.

use std::sync::Arc;

use session_host::storage::Result;
use session_host::{Aside, LogInfo, Memory, Order, Part, Place, Storage};

macro_rules! twists {
    ($($name:ident($($argument:ident: $type:ty),*) $(-> $answer:ty)?;)*) => {
        /// What is done in another way than it should be; each gets the store that does it right.
        #[derive(Default)]
        #[allow(clippy::type_complexity, reason = "the types are those of the trait")]
        pub struct Twist {
            $($name: Option<Box<dyn Fn(&dyn Storage, $($type),*) $(-> $answer)? + Send + Sync>>,)*
            dropping: Option<Box<dyn Fn(Arc<dyn Storage>) + Send + Sync>>,
        }

        impl Twist {
            $(pub fn $name(
                mut self,
                twist: impl Fn(&dyn Storage, $($type),*) $(-> $answer)? + Send + Sync + 'static,
            ) -> Self {
                self.$name = Some(Box::new(twist));
                self
            })*

            /// What becomes of a holder when it is dropped.
            pub fn dropping(mut self, twist: impl Fn(Arc<dyn Storage>) + Send + Sync + 'static) -> Self {
                self.dropping = Some(Box::new(twist));
                self
            }
        }

        impl Drop for Twisted {
            fn drop(&mut self) {
                if let Some(twist) = &self.twist.dropping {
                    twist(Arc::clone(&self.right));
                }
            }
        }

        impl Storage for Twisted {
            $(fn $name(&self, $($argument: $type),*) $(-> $answer)? {
                match &self.twist.$name {
                    Some(twist) => twist(&*self.right, $($argument),*),
                    None => self.right.$name($($argument),*),
                }
            })*

            fn sibling(&self) -> Result<Arc<dyn Storage>> {
                Ok(Arc::new(Self { right: self.right.sibling()?, twist: Arc::clone(&self.twist) }))
            }
        }
    };
}

twists! {
    acquire(id: &str) -> Result<LogInfo>;
    release(id: &str);
    publish(id: &str, parts: &[Part<'_>]) -> Result<LogInfo>;
    append(id: &str, at: u64, content: &[u8]) -> Result<()>;
    sync(id: &str) -> Result<()>;
    stat(id: &str) -> Result<LogInfo>;
    read(id: &str, at: u64, max: u32) -> Result<Vec<u8>>;
    set_aside(id: &str, at: u64) -> Result<Aside>;
    asides(id: &str) -> Result<Vec<Aside>>;
    read_aside(id: &str, name: &str, at: u64, max: u32) -> Result<Vec<u8>>;
    list(order: Order, after: Option<&Place>, max: u32) -> Result<Vec<LogInfo>>;
    remove(id: &str) -> Result<()>;
    save_checkpoint(id: &str, content: &[u8]) -> Result<()>;
    load_checkpoint(id: &str) -> Result<Vec<u8>>;
}

/// A store in memory that does something in another way, for every holder.
pub struct Twisted {
    right: Arc<dyn Storage>,
    twist: Arc<Twist>,
}

impl Twisted {
    pub fn new(twist: Twist) -> Self {
        Self { right: Arc::new(Memory::new()), twist: Arc::new(twist) }
    }
}

/// A way to be wrong, and the cases that have to notice.
pub struct Wrong {
    pub name: &'static str,
    pub cases: &'static [&'static str],
    pub twist: fn() -> Twist,
}

pub const fn wrong(name: &'static str, cases: &'static [&'static str], twist: fn() -> Twist) -> Wrong {
    Wrong { name, cases, twist }
}
