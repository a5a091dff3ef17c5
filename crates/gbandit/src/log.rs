//! The log on standard error. Logging puts a line into a queue and returns; one thread writes. A
//! stalled or closed reader, or a full disk, costs only lines, which are counted.
//!
//! `tracing-appender` has a similar writer. It counts lines that found the queue full, but not
//! lines whose write failed, and it bounds its queue by lines only.

use graph_bandit_server::metrics::Counter;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::time::{Duration, Instant};
use tracing_subscriber::fmt::MakeWriter;

/// The most lines that may wait.
const MOST_LINES: usize = 8_192;
/// The most bytes that may wait.
const MOST_BYTES: usize = 4 << 20;
/// About how many bytes are written at once.
const AT_ONCE: usize = 64 << 10;
/// How long the first line waits for more: waking the writer for every line would cost more than
/// the lines.
const GATHERING: Duration = Duration::from_millis(1);
/// How long to wait for a reader that takes no more, if the system does not wait by itself.
const PAUSE: Duration = Duration::from_millis(10);

enum Message {
    Line(Vec<u8>),
    /// Signals when everything before it is written.
    Flush(Sender<()>),
}

/// The sending end of the log.
#[derive(Clone)]
pub(crate) struct Log {
    queue: SyncSender<Message>,
    waiting: Arc<AtomicUsize>,
    dropped: Arc<Counter>,
}

impl Log {
    /// A log to standard error; `dropped` counts lost lines.
    pub(crate) fn to_stderr(dropped: Arc<Counter>) -> io::Result<Self> {
        Self::start(own_stderr()?, dropped)
    }

    fn start(to: impl Write + Send + 'static, dropped: Arc<Counter>) -> io::Result<Self> {
        let (queue, messages) = sync_channel(MOST_LINES);
        let waiting = Arc::<AtomicUsize>::default();
        let mut writer = Writer {
            to,
            torn: false,
            waiting: Arc::clone(&waiting),
            dropped: Arc::clone(&dropped),
        };
        let thread = std::thread::Builder::new().name("log".to_owned());
        thread.spawn(move || writer.work(&messages))?;
        Ok(Self { queue, waiting, dropped })
    }

    fn line(&self, line: &[u8]) {
        let before = self.waiting.fetch_add(line.len(), Ordering::Relaxed);
        let room = before + line.len() <= MOST_BYTES;
        if !room || self.queue.try_send(Message::Line(line.to_vec())).is_err() {
            self.waiting.fetch_sub(line.len(), Ordering::Relaxed);
            self.dropped.add(1);
        }
    }

    /// Waits until all lines are written, at most this long.
    pub(crate) fn flush(&self, patience: Duration) {
        let deadline = Instant::now() + patience;
        let (written, all_written) = channel();
        let mut message = Message::Flush(written);
        while let Err(TrySendError::Full(again)) = self.queue.try_send(message) {
            if Instant::now() >= deadline {
                return;
            }
            message = again;
            std::thread::sleep(PAUSE);
        }
        // Lines not written in time are lost with the process.
        let _ = all_written.recv_timeout(deadline.saturating_duration_since(Instant::now()));
    }
}

/// One line of the log, always written with a single call.
pub(crate) struct Line<'a>(&'a Log);

impl Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.line(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Line<'a>;

    fn make_writer(&'a self) -> Line<'a> {
        Line(self)
    }
}

struct Writer<W> {
    to: W,
    /// Whether the last write ended in the middle of a line.
    torn: bool,
    waiting: Arc<AtomicUsize>,
    dropped: Arc<Counter>,
}

impl<W: Write> Writer<W> {
    /// Writes until all senders are gone.
    fn work(&mut self, messages: &Receiver<Message>) {
        while let Ok(message) = messages.recv() {
            if matches!(message, Message::Line(_)) {
                std::thread::sleep(GATHERING);
            }
            let mut next = Some(message);
            let (mut text, mut ends) = (Vec::new(), Vec::new());
            let mut flushed = None;
            while let Some(message) = next {
                match message {
                    Message::Line(line) => {
                        text.extend_from_slice(&line);
                        ends.push(text.len());
                    }
                    Message::Flush(written) => flushed = Some(written),
                }
                let enough = text.len() >= AT_ONCE || flushed.is_some();
                next = if enough { None } else { messages.try_recv().ok() };
            }
            self.write(&text, &ends);
            self.waiting.fetch_sub(text.len(), Ordering::Relaxed);
            if let Some(written) = flushed {
                // The waiting thread may have given up.
                let _ = written.send(());
            }
        }
    }

    /// Writes lines that end at these offsets; lines that cannot be written are dropped.
    fn write(&mut self, text: &[u8], ends: &[usize]) {
        // After a partial line, start a new line.
        if self.torn && !text.is_empty() {
            self.torn = self.write_all(b"\n") == 0;
        }
        let written = if self.torn { 0 } else { self.write_all(text) };
        self.torn |= written > 0 && !ends.contains(&written);
        let lost = ends.iter().filter(|&&end| end > written).count();
        self.dropped.add(lost as u64);
    }

    /// Returns how many bytes were written.
    fn write_all(&mut self, text: &[u8]) -> usize {
        let mut written = 0;
        while written < text.len() {
            match self.to.write(&text[written..]) {
                Ok(0) => break,
                Ok(length) => written += length,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(PAUSE),
                Err(_) => break,
            }
        }
        written
    }
}

/// A separate handle to standard error: while it waits for its reader, nothing waits for the
/// standard library's lock.
#[cfg(unix)]
fn own_stderr() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stderr().as_fd().try_clone_to_owned()?))
}

/// A separate handle to standard error.
#[cfg(windows)]
fn own_stderr() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stderr().as_handle().try_clone_to_owned()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// Takes this many more bytes, then fails.
    #[derive(Clone, Default)]
    struct Disk(Arc<Mutex<(Vec<u8>, usize)>>);

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let (kept, room) = &mut *self.0.lock().unwrap();
            let fits = bytes.len().min(*room);
            if fits == 0 {
                return Err(ErrorKind::StorageFull.into());
            }
            kept.extend_from_slice(&bytes[..fits]);
            *room -= fits;
            Ok(fits)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_costs_lines_but_joins_none() {
        let (disk, dropped) = (Disk::default(), Arc::<Counter>::default());
        let log = Log::start(disk.clone(), Arc::clone(&dropped)).unwrap();
        let say = |line: &str| {
            log.make_writer().write_all(line.as_bytes()).unwrap();
            log.flush(Duration::from_secs(60));
        };
        disk.0.lock().unwrap().1 = 9;
        say("first\n");
        say("second\n");
        say("third\n");
        assert_eq!(dropped.get(), 2);
        disk.0.lock().unwrap().1 = 100;
        say("fourth\n");
        assert_eq!(dropped.get(), 2);
        assert_eq!(String::from_utf8_lossy(&disk.0.lock().unwrap().0), "first\nsec\nfourth\n");
    }

    /// Takes nothing until released.
    struct Stalled(Receiver<()>);

    impl Write for Stalled {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_stalled_reader_costs_lines_and_bounded_memory() {
        let dropped = Arc::<Counter>::default();
        let (let_go, stalled) = channel();
        let log = Log::start(Stalled(stalled), Arc::clone(&dropped)).unwrap();
        let line = vec![b'x'; 1 << 20];
        for _ in 0..20 {
            log.line(&line);
        }
        assert_eq!(dropped.get(), 16);
        for _ in 0..3 * MOST_LINES {
            log.line(b"");
        }
        assert!(dropped.get() >= 2 * MOST_LINES as u64);
        log.flush(Duration::from_millis(1));
        drop(let_go);
        log.flush(Duration::from_secs(60));
        let before = dropped.get();
        log.line(b"y");
        assert_eq!(dropped.get(), before);
    }
}
