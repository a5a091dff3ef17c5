//! Clients that ask for much and read nothing, and clients that send a request byte by byte.

use crate::arena::Arena;
use crate::battle::Attack;
use crate::chance::Chance;
use std::io::{ErrorKind, Write};
use std::net::TcpStream;

/// How many of them there are at once.
const MANY: usize = 60;
/// What they ask for: the longest answers.
const PATHS: [&str; 4] =
    ["/openapi.json", "/v1/agents/star/map", "/v1/agents/star/events", "/v1/agents/star/history"];

/// They stay connected until the next ones come.
#[derive(Default)]
pub(crate) struct SlowReaders {
    sitting: Vec<TcpStream>,
}

impl Attack for SlowReaders {
    fn name(&self) -> &'static str {
        "crowds of slow readers"
    }

    fn strike(&mut self, arena: &mut Arena, chance: &mut Chance) {
        self.sitting.clear();
        for _ in 0..MANY {
            let process = chance.below(arena.processes() as u64) as usize;
            let url = arena.addresses.get(process);
            let address = url.strip_prefix("http://").unwrap();
            let Ok(mut stream) = TcpStream::connect(address) else { continue };
            stream.set_nonblocking(true).unwrap();
            let path = PATHS[chance.below(4) as usize];
            let mut text = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n").repeat(500);
            if chance.one_in(4) {
                text.truncate(20);
            }
            match stream.write_all(text.as_bytes()) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                // It may have been refused; that is an answer, too.
                Err(_) | Ok(()) => {}
            }
            self.sitting.push(stream);
        }
        arena.wait_for_receipts(10);
    }
}
