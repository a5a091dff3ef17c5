//! An error from your own agent or law, handed to the caller unchanged.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// An error returned by your own agent or law.
///
/// `?` converts any error into one. Get the original back with
/// [`downcast_ref`](Self::downcast_ref).
#[derive(Clone)]
pub struct Raised(Arc<dyn Error + Send + Sync>);

impl Raised {
    /// Wraps an error of any kind, or a text.
    pub fn new(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(error.into().into())
    }

    /// The wrapped error.
    pub fn error(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.0
    }

    /// The wrapped error, if it has this type.
    pub fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for Raised {
    fn from(error: E) -> Self {
        Self(Arc::new(error))
    }
}

/// Equal only if both hold the same error object, not if their texts agree.
impl PartialEq for Raised {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
