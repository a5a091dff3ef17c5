//! `gbandit serve` as a process: killed, stopped, guarded, and flown against by `gbandit drone`.
//!
//! Stopping a service cleanly needs signals, so those tests are for Unix. Tests of faults beneath
//! it need Linux tools, and so does a database that tests may kill.

mod drones;
mod kills;
mod one_process;
mod process;
mod roads;
mod robot;
mod teams;

#[cfg(unix)]
mod access;
#[cfg(unix)]
mod backups;
#[cfg(unix)]
mod damage;
#[cfg(unix)]
mod imports;
#[cfg(unix)]
mod limits;
#[cfg(unix)]
mod retention;
#[cfg(unix)]
mod store_files;
#[cfg(unix)]
mod streams;

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
mod postgres_setup;
#[cfg(target_os = "linux")]
mod proxy;
#[cfg(target_os = "linux")]
mod store_failures;
