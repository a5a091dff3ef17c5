//! `gbandit serve` as a process: killed, stopped, guarded, and flown against by `gbandit drone`.

mod clock;
mod damage;
mod doors;
mod drones;
mod faults;
mod fixtures;
mod full_disk;
mod kills;
mod limits;
mod one_process;
mod postgres_crashes;
mod postgres_faults;
mod process;
mod robot;
mod store_failures;
mod streams;
mod walk;
