//! What an agent or a law of your own failed with, handed to the caller as it is.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// The error that an agent or a law of your own answered with.
///
/// Any error becomes one by `?`. Whoever started the run gets it back with
/// [`downcast_ref`](Self::downcast_ref).
#[derive(Clone)]
pub struct Raised(Arc<dyn Error + Send + Sync>);

impl Raised {
    /// An error of any kind, or a text.
    pub fn new(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(error.into().into())
    }

    /// The error itself.
    pub fn error(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.0
    }

    /// The error, if it is of this type.
    pub fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for Raised {
    fn from(error: E) -> Self {
        Self(Arc::new(error))
    }
}

/// Two are equal when they are the same error, not when they read the same.
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
