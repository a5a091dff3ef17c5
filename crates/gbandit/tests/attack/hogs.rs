//! Clients that give the service more to plan than it can: nobody else may starve, and the agent
//! can be deleted at once.

use crate::arena::Arena;
use crate::battle::Attack;
use crate::chance::Chance;
use crate::http::Http;
use serde_json::{Value, json};

/// A tell with this many visits all over the map.
const VISITS: u64 = 20_000;

#[derive(Default)]
pub(crate) struct Hog {
    made: u64,
}

impl Attack for Hog {
    fn name(&self) -> &'static str {
        "hogs"
    }

    fn strike(&mut self, arena: &mut Arena, chance: &mut Chance) {
        self.made += 1;
        let http = Http::new(&arena.addresses);
        let id = format!("hog-{}", self.made);
        let new_agent = json!({"id": id, "graph": "grid:150x150", "agent": "ucrl2"});
        let (status, answer) = http.answered("/v1/agents", Some(&new_agent));
        assert!(matches!(status, 200 | 201), "{answer}");
        let visits: Vec<Value> = (0..VISITS)
            .map(|_| json!({"at": chance.below(150 * 150), "reward": chance.share()}))
            .collect();
        let report = json!({"sequence": 0, "visits": visits});
        // The client may give up before the answer, or get it; either is fine.
        let _ = http.attempt(&format!("/v1/agents/{id}/tell"), Some(&report));
        arena.wait_for_receipts(20);
        let path = format!("{}/v1/agents/{id}", arena.addresses.get(0));
        let deleted = ureq::delete(path).call();
        assert!(deleted.is_ok_and(|answer| answer.status() == 204), "{id} cannot be deleted");
    }
}
