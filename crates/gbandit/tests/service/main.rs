//! `gbandit serve` as a process: killed, stopped, guarded, and flown against by `gbandit drone`.

mod doors;
mod drones;
mod full_disk;
mod kills;
mod process;
mod robot;
mod walk;
