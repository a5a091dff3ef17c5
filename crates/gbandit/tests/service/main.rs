//! `gbandit serve` as a process: killed, stopped, guarded, and flown against by `gbandit drone`.
//!
//! What stops a service well needs signals, so it is for Unix; what makes things go wrong beneath it
//! needs the tools of Linux, and so does a database that tests may kill.

mod drones;
mod kills;
mod one_process;
mod process;
mod roads;
mod robot;

#[cfg(unix)]
mod backups;
#[cfg(unix)]
mod damage;
#[cfg(unix)]
mod doors;
#[cfg(unix)]
mod fixtures;
#[cfg(unix)]
mod imports;
#[cfg(unix)]
mod limits;
#[cfg(unix)]
mod retention;
#[cfg(unix)]
mod streams;
#[cfg(unix)]
mod town;
#[cfg(unix)]
mod walk;

#[cfg(target_os = "linux")]
mod clock;
#[cfg(target_os = "linux")]
mod deployment;
#[cfg(target_os = "linux")]
mod faults;
#[cfg(target_os = "linux")]
mod full_disk;
#[cfg(target_os = "linux")]
mod logs;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(target_os = "linux")]
mod operations;
#[cfg(target_os = "linux")]
mod postgres_backups;
#[cfg(target_os = "linux")]
mod postgres_faults;
#[cfg(target_os = "linux")]
mod proxy;
#[cfg(target_os = "linux")]
mod store_failures;
