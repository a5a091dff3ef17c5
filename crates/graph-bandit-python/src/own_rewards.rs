//! Rewards from a Python function: as reproducible as the library's own laws.

use graph_bandit::{LawError, NodeId, OwnLaw, Raised, Seed, Time};
use graph_bandit_lab::NoiseSource;
use numpy::{PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of rewards drawn at a time.
const BLOCK: u64 = 256;

/// Draws rewards in Python: `draw(node number, seed, block, size, mean)` returns `size` numbers.
pub(crate) struct Drawer {
    pub(crate) draw: Py<PyAny>,
    pub(crate) scale: f64,
}

impl Drawer {
    /// The rewards of every node, drawn by Python around its mean; messages use `label`.
    pub(crate) fn into_noise(self, label: &str) -> NoiseSource {
        let drawer = Arc::new(self);
        NoiseSource::own(label, move |node, mean| {
            let cache = Mutex::new(Cache::default());
            let law = PythonLaw { node, mean, drawer: Arc::clone(&drawer), cache };
            graph_bandit::Law::own(Arc::new(law)) as Result<_, LawError>
        })
    }

    fn block(&self, (node, mean): (NodeId, f64), tape: Seed, block: u64) -> PyResult<Vec<f64>> {
        Python::attach(|py| {
            let drawn = self.draw.bind(py).call1((node, tape.0, block, BLOCK, mean))?;
            let drawn: PyReadonlyArray1<'_, f64> = drawn.extract()?;
            if drawn.len() as u64 != BLOCK {
                let reason = format!("{} rewards were drawn instead of {BLOCK}", drawn.len());
                return Err(PyValueError::new_err(reason));
            }
            Ok(drawn.as_array().to_vec())
        })
    }
}

/// The last block drawn.
#[derive(Default)]
struct Cache {
    tape: Option<Seed>,
    block: u64,
    rewards: Vec<f64>,
}

/// The law of one node.
struct PythonLaw {
    node: NodeId,
    mean: f64,
    drawer: Arc<Drawer>,
    cache: Mutex<Cache>,
}

impl fmt::Debug for PythonLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rewards of node {} from Python", self.node)
    }
}

impl OwnLaw for PythonLaw {
    fn draw(&self, tape: Seed, k: u64, _at: Time) -> Result<f64, Raised> {
        let (block, place) = (k / BLOCK, (k % BLOCK) as usize);
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if cache.tape != Some(tape) || cache.block != block {
            let rewards = self.drawer.block((self.node, self.mean), tape, block)?;
            *cache = Cache { tape: Some(tape), block, rewards };
        }
        Ok(cache.rewards[place])
    }

    fn mean(&self, _at: Time) -> f64 {
        self.mean
    }

    fn variance(&self) -> f64 {
        // At most the square of the scale, for every sub-Gaussian law; nothing more is known.
        self.drawer.scale * self.drawer.scale
    }

    fn sub_gaussian_scale(&self) -> f64 {
        self.drawer.scale
    }
}
