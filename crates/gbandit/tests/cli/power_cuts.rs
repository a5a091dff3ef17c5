//! Power cuts while a study writes: `strace` records every call, a model of the disk says what may be left
//! after each, and `--resume` makes the undisturbed result of it.

use crate::campaign::{contents, scratch};
use crate::program::gbandit;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Without figures, so that making it again is quick.
const STUDY: &str = "
name = 'bare'
title = 'Bare'
steps = 50
runs = 45
figures = []
[[cases]]
graph = 'line:4'
";

/// The calls that change what is on disk; `strace` ignores names that the system lacks.
const CALLS: &str = "?open,openat,write,?writev,?pwrite64,fsync,fdatasync,?rename,renameat,?renameat2,?unlink,\
                     unlinkat,?mkdir,mkdirat,?rmdir,ftruncate,?link,linkat";

type Names = BTreeMap<String, usize>;
/// What a disk holds: files with their bytes, and folders.
type Image = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// What is in memory and what is on disk.
struct Kept<T> {
    now: T,
    disk: T,
}

enum Inode {
    File(Kept<Vec<u8>>),
    Folder(Kept<Names>),
}

/// What a cut does to something that was not synced.
#[derive(Clone, Copy)]
enum Fate {
    Lost,
    Written,
    Torn,
}

/// A disk below one folder. Contents are on it once they are synced, names once their folder is.
struct Disk {
    top: PathBuf,
    inodes: Vec<Inode>,
}

impl Disk {
    fn new(top: &Path) -> Self {
        let empty = || Kept { now: Names::new(), disk: Names::new() };
        Self { top: top.to_owned(), inodes: vec![Inode::Folder(empty())] }
    }

    fn names(&mut self, folder: &Path) -> &mut Names {
        let at = self.find(folder).expect("a folder above was made before");
        match &mut self.inodes[at] {
            Inode::Folder(names) => &mut names.now,
            Inode::File(_) => panic!("{} is a file", folder.display()),
        }
    }

    fn find(&self, path: &Path) -> Option<usize> {
        path.iter().try_fold(0, |at, name| match &self.inodes[at] {
            Inode::Folder(names) => names.now.get(name.to_str().unwrap()).copied(),
            Inode::File(_) => None,
        })
    }

    fn add(&mut self, path: &Path, inode: Inode) {
        self.inodes.push(inode);
        let at = self.inodes.len() - 1;
        self.link(path, at);
    }

    fn link(&mut self, path: &Path, at: usize) {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        self.names(path.parent().unwrap()).insert(name, at);
    }

    fn unlink(&mut self, path: &Path) -> usize {
        let name = path.file_name().unwrap().to_str().unwrap();
        self.names(path.parent().unwrap()).remove(name).expect("it has a name")
    }

    /// Applies a line of `strace`; returns whether it changed anything.
    fn apply(&mut self, line: &str) -> bool {
        let Some((call, rest)) =
            line.split_once(' ').and_then(|(_, call)| call.trim_start().split_once('('))
        else {
            return false;
        };
        if rest.contains(" = -1 ") {
            return false;
        }
        let (at, texts) = arguments(rest);
        let inside = |text: &[u8]| {
            let path = at.join(std::str::from_utf8(text).unwrap());
            path.strip_prefix(&self.top).ok().map(Path::to_owned)
        };
        let path = match call {
            "write" | "fsync" | "fdatasync" => inside(b""),
            _ => texts.first().and_then(|text| inside(text)),
        };
        let Some(path) = path else { return false };
        match call {
            "openat" | "open" if rest.contains("O_TRUNC") => match self.find(&path) {
                Some(at) => match &mut self.inodes[at] {
                    Inode::File(bytes) => bytes.now.clear(),
                    Inode::Folder(_) => panic!("{line}"),
                },
                None => self.add(&path, Inode::File(Kept { now: vec![], disk: vec![] })),
            },
            "openat" | "open" => return false,
            "mkdir" | "mkdirat" => {
                self.add(&path, Inode::Folder(Kept { now: Names::new(), disk: Names::new() }));
            }
            "write" => match self.find(&path).map(|at| &mut self.inodes[at]) {
                Some(Inode::File(bytes)) => bytes.now.extend(&texts[0]),
                _ => panic!("{line}"),
            },
            "fsync" | "fdatasync" => match self.find(&path).map(|at| &mut self.inodes[at]) {
                Some(Inode::File(bytes)) => bytes.disk.clone_from(&bytes.now),
                Some(Inode::Folder(names)) => names.disk.clone_from(&names.now),
                None => panic!("{line}"),
            },
            "unlink" | "unlinkat" | "rmdir" => {
                self.unlink(&path);
            }
            "rename" | "renameat" | "renameat2" => {
                let to = inside(&texts[1]).expect("it stays inside");
                let at = self.unlink(&path);
                self.link(&to, at);
            }
            other => panic!("the model lacks {other}: {line}"),
        }
        true
    }

    /// What is left if the power fails now.
    fn cut(&self, fate_of_name: &mut dyn FnMut() -> Fate, fate: &mut dyn FnMut() -> Fate) -> Image {
        let mut image = Image::new();
        let mut open = vec![(PathBuf::new(), 0)];
        while let Some((path, at)) = open.pop() {
            let Kept { now, disk } = match &self.inodes[at] {
                Inode::Folder(names) => names,
                Inode::File(bytes) => {
                    image.insert(path, Some(left(bytes, fate)));
                    continue;
                }
            };
            let all: BTreeSet<&String> = now.keys().chain(disk.keys()).collect();
            for name in all {
                let is_settled = now.get(name) == disk.get(name);
                let is_lost = is_settled || matches!(fate_of_name(), Fate::Lost);
                let kept = if is_lost { disk.get(name) } else { now.get(name) };
                open.extend(kept.map(|&inside| (path.join(name), inside)));
            }
            image.insert(path, None);
        }
        image
    }
}

fn left(bytes: &Kept<Vec<u8>>, fate: &mut dyn FnMut() -> Fate) -> Vec<u8> {
    if bytes.now == bytes.disk {
        return bytes.disk.clone();
    }
    match fate() {
        Fate::Lost => bytes.disk.clone(),
        Fate::Written => bytes.now.clone(),
        Fate::Torn => bytes.now[..bytes.now.len() / 2].to_vec(),
    }
}

/// The path of the descriptor and the texts of a call, which `strace -y -xx` writes in hexadecimal digits.
fn arguments(rest: &str) -> (PathBuf, Vec<Vec<u8>>) {
    let bytes = |digits: &str| -> Vec<u8> {
        let of = |pair: &str| u8::from_str_radix(pair, 16).unwrap();
        digits.split("\\x").filter(|pair| !pair.is_empty()).map(of).collect()
    };
    let at = rest.split_once('<').and_then(|(_, at)| at.split_once('>'));
    let at = at.map(|(at, _)| String::from_utf8(bytes(at)).unwrap()).unwrap_or_default();
    let texts = rest.split('"').skip(1).step_by(2).map(bytes).collect();
    (at.into(), texts)
}

/// The lines of a trace, with calls that another thread interrupted in one piece, where they end.
fn lines(trace: &str) -> Vec<String> {
    let mut begun: BTreeMap<&str, &str> = BTreeMap::new();
    let mut whole = Vec::new();
    for line in trace.lines() {
        let thread = line.split(' ').next().unwrap();
        if let Some(beginning) = line.strip_suffix(" <unfinished ...>") {
            begun.insert(thread, beginning);
        } else if let Some((_, end)) = line.split_once(" resumed>") {
            whole.push(begun.remove(thread).unwrap().to_owned() + end);
        } else {
            whole.push(line.to_owned());
        }
    }
    whole
}

/// Repeatable choices.
struct Lots(u64);

impl Lots {
    fn draw(&mut self) -> Fate {
        // The constants of Knuth's MMIX.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        [Fate::Lost, Fate::Written, Fate::Torn][(self.0 >> 33) as usize % 3]
    }
}

/// Everything that may be left after some calls.
fn images(disk: &Disk, lots: &mut Lots) -> Vec<Image> {
    let mut all = vec![
        disk.cut(&mut || Fate::Lost, &mut || Fate::Lost),
        disk.cut(&mut || Fate::Written, &mut || Fate::Lost),
        disk.cut(&mut || Fate::Written, &mut || Fate::Written),
    ];
    let mut others = Lots(lots.0 ^ 1);
    all.extend((0..4).map(|_| disk.cut(&mut || others.draw(), &mut || lots.draw())));
    all
}

fn lay_out(image: &Image, top: &Path) {
    let _ = fs::remove_dir_all(top);
    for (path, bytes) in image {
        let path = top.join(path);
        match bytes {
            Some(bytes) => fs::write(path, bytes).unwrap(),
            None => fs::create_dir_all(path).unwrap(),
        }
    }
}

#[test]
fn after_any_power_cut_complete_is_whole_and_resume_makes_the_same_bytes() {
    let directory = scratch("power-cuts");
    let file = directory.join("bare.toml");
    fs::write(&file, STUDY).unwrap();
    let (top, trace) = (directory.join("top"), directory.join("trace"));
    fs::create_dir(&top).unwrap();
    let out = top.join("out");
    let study = ["study", file.to_str().unwrap(), "--jobs", "1", "--out", out.to_str().unwrap()];
    let traced = Command::new("strace")
        .args(["-f", "-y", "-xx", "-s", "100000000", "-e", &format!("trace={CALLS}"), "-o"])
        .arg(&trace)
        .arg(env!("CARGO_BIN_EXE_gbandit"))
        .args(study)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(traced.expect("strace is a package of that name").success());
    let whole = contents(&out);

    let mut disk = Disk::new(&top);
    let mut lots = Lots(1);
    let mut complete = 0;
    let mut left = BTreeSet::new();
    for line in &lines(&fs::read_to_string(&trace).unwrap()) {
        if !disk.apply(line) {
            continue;
        }
        for image in images(&disk, &mut lots) {
            let manifest = image.get(Path::new("out/manifest.json"));
            if manifest == Some(&Some(whole[Path::new("manifest.json")].clone())) {
                complete += 1;
                for (name, bytes) in &whole {
                    let found = image.get(&Path::new("out").join(name));
                    assert!(
                        found.is_some_and(|found| found.as_ref() == Some(bytes)),
                        "complete without all of {}, after {}",
                        name.display(),
                        line.chars().take(60).collect::<String>()
                    );
                }
            }
            left.insert(image);
        }
    }
    assert!(complete > 20, "{complete} complete images");
    assert!(left.len() > 100, "{} images", left.len());
    for image in &left {
        lay_out(image, &top);
        let resumed = gbandit(&[&study[..], &["--resume"]].concat());
        let names = || image.keys().collect::<Vec<_>>();
        assert_eq!(resumed.code, 0, "{}\n{:?}", resumed.stderr, names());
        assert!(contents(&out) == whole, "{:?}\n{:?}", contents(&out).keys(), names());
    }
}
