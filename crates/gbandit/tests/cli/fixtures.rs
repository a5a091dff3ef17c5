//! Half-finished campaigns of earlier versions, kept in `tests/fixtures`: resumed, they end with
//! the same bytes. Measured times are left out; hues that changed since are mapped back, and so is
//! the version that wrote a table. The page is not compared: it only shows the data and figures,
//! which are compared.

use crate::campaign::scratch;
use crate::program::gbandit;
use graph_bandit_figures::render_png;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// The directories of all campaigns.
fn campaigns() -> Vec<PathBuf> {
    let versions = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let versions = fs::read_dir(versions).unwrap();
    let campaigns = versions.map(|version| version.unwrap().path().join("campaign"));
    let campaigns: Vec<PathBuf> = campaigns.filter(|path| path.exists()).collect();
    assert!(!campaigns.is_empty());
    campaigns
}

/// A copy of a half-finished campaign.
fn copied(campaign: &Path, name: &str) -> PathBuf {
    let out = scratch(name).join("half");
    fs::create_dir_all(out.join("runs")).unwrap();
    for file in fs::read_dir(campaign.join("half/runs")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), out.join("runs").join(file.file_name())).unwrap();
    }
    out
}

fn resume(campaign: &Path, out: &Path) {
    let study = campaign.join("half.toml");
    let args = ["study", study.to_str().unwrap(), "--out", out.to_str().unwrap(), "--resume"];
    let answer = gbandit(&args);
    assert_eq!(answer.code, 0, "{answer:?}");
}

/// The file that each version draws in its own way.
const PAGE: &str = "index.html";
/// The width of images in reports.
const PNG_WIDTH: u32 = 1_600;
/// The current hues, and those of version 0.1.
const HUES: [[&str; 2]; 24] = [
    ["#536962", "#af8d58"],
    ["#b2d56e", "#d7b472"],
    ["#3d3e46", "#767678"],
    ["#6b7a7d", "#a6a3a0"],
    ["#b35fff", "#8e6ef2"],
    ["#ceacff", "#bdabff"],
    ["#34a66b", "#3ea282"],
    ["#74fab9", "#3edfac"],
    ["#5e5604", "#637b53"],
    ["#ffe70a", "#b2e948"],
    ["#c16e8c", "#c26e9b"],
    ["#e09598", "#f791c8"],
    ["#6e5b82", "#771d5a"],
    ["#f821cf", "#d657c0"],
    ["#780066", "#054390"],
    ["#82749c", "#627996"],
    ["#968bbd", "#28a0c3"],
    ["#ffcdf0", "#95e5ff"],
    ["#4f2d00", "#5a3508"],
    ["#aa6d05", "#b1804b"],
    ["#c40040", "#cb2833"],
    ["#fe0d5c", "#fe6082"],
    ["#086f42", "#175042"],
    ["#508466", "#169a7d"],
];
/// What tables of this version, and of 0.1, say of who wrote them. Both texts have the same length,
/// so that nothing else in the file moves.
const WRITERS: [&[u8]; 2] =
    [concat!("graph-bandit ", env!("CARGO_PKG_VERSION")).as_bytes(), b"graph-bandit 0.1.0"];

/// Bytes with the name of 0.1 in place of this version's.
fn by_earlier_version(mut bytes: Vec<u8>) -> Vec<u8> {
    let [now, earlier] = WRITERS;
    assert_eq!(now.len(), earlier.len());
    let places: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(now)).collect();
    for at in places {
        bytes[at..at + now.len()].copy_from_slice(earlier);
    }
    bytes
}

/// A file as if no hue had changed and 0.1 had written it; empty if the file does not exist.
fn as_earlier(file: &Path) -> Vec<u8> {
    let bytes = fs::read(file).unwrap_or_default();
    let recolored = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).unwrap();
        HUES.iter().fold(text, |text, [now, earlier]| text.replace(now, earlier))
    };
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("svg") => recolored(bytes).into_bytes(),
        // Pixels are drawn from the SVG file, so they are checked by drawing it again.
        Some("png") => {
            let svg = fs::read(file.with_extension("svg")).unwrap();
            let drawn = render_png(std::str::from_utf8(&svg).unwrap(), PNG_WIDTH).unwrap();
            assert!(drawn == bytes, "{} is not what its SVG shows", file.display());
            render_png(&recolored(svg), PNG_WIDTH).unwrap()
        }
        Some("parquet") => by_earlier_version(bytes),
        _ => bytes,
    }
}

/// The files of a finished directory that differ.
fn changed(campaign: &Path, out: &Path) -> Vec<String> {
    let sums = fs::read_to_string(campaign.join("sums")).unwrap();
    let sums = sums.lines().map(|line| line.split_once("  ").unwrap());
    let sums = sums.filter(|(_, file)| *file != PAGE);
    assert!(out.join(PAGE).is_file(), "{} has no page", out.display());
    let is_changed = |(sum, file): &(&str, &str)| {
        let digest = Sha256::digest(as_earlier(&out.join(file)));
        let byte = |k: usize| u8::from_str_radix(&sum[2 * k..2 * k + 2], 16).unwrap();
        !digest.iter().copied().eq((0..sum.len() / 2).map(byte))
    };
    sums.filter(is_changed).map(|(_, file)| file.to_owned()).collect()
}

#[test]
fn half_finished_campaigns_end_with_the_same_bytes() {
    for campaign in campaigns() {
        let out = copied(&campaign, "fixtures-campaign");
        resume(&campaign, &out);
        assert_eq!(changed(&campaign, &out), [""; 0], "{}", campaign.display());
    }
}

/// The directory holds both windows: a study that asks for both continues it, too.
#[test]
fn half_finished_campaigns_continue_with_both_windows() {
    for campaign in campaigns() {
        let out = copied(&campaign, "fixtures-campaign-windows");
        let study = out.join("../half.toml");
        let text = fs::read_to_string(campaign.join("half.toml")).unwrap();
        fs::write(&study, text.replace("seed = 7", "seed = 7\nwindows = ['last', 'first']"))
            .unwrap();
        resume(out.parent().unwrap(), &out);
        assert_eq!(changed(&campaign, &out), [""; 0], "{}", campaign.display());
    }
}

/// Version 0.1 made the first part, in both windows; the second was made in one window, then in
/// both.
#[test]
fn parts_of_earlier_versions_are_merged_where_windows_are_the_same() {
    for campaign in campaigns() {
        let one = copied(&campaign, "fixtures-campaign-merged");
        let folder = one.parent().unwrap();
        let text = fs::read_to_string(campaign.join("half.toml")).unwrap();
        let part = |name: &str, windows: &str| {
            let (study, out) = (folder.join(format!("{name}.toml")), folder.join(name));
            fs::write(&study, text.replace("seed = 7", &format!("seed = 7\n{windows}"))).unwrap();
            let [study, out] = [&study, &out].map(|path| path.to_str().unwrap().to_owned());
            let made = gbandit(&["study", &study, "--out", &out, "--shard", "2/2"]);
            assert_eq!(made.code, 0, "{made:?}");
            out
        };
        let merged = folder.join("merged");
        let merge = |other: &str| {
            let [one, merged] = [&one, &merged].map(|path| path.to_str().unwrap());
            gbandit(&["merge", one, other, "--out", merged])
        };
        let refused = merge(&part("in-one", ""));
        assert_eq!(refused.code, 2, "{refused:?}");
        for part in ["was measured in first and last", "in first;", "`windows`"] {
            assert!(refused.stderr.contains(part), "{refused:?}");
        }
        let done = merge(&part("in-both", "windows = ['first', 'last']"));
        assert_eq!(done.code, 0, "{done:?}");
        assert_eq!(changed(&campaign, &merged), [""; 0], "{}", campaign.display());
    }
}

#[test]
fn stored_runs_are_not_run_again() {
    for campaign in campaigns() {
        let out = copied(&campaign, "fixtures-campaign-changed");
        let block = out.join("runs/cell0000-run0000000.bin");
        let mut bytes = fs::read(&block).unwrap();
        // The last bit of the second number, the cost of initialization; the first number is a
        // count.
        bytes[8] ^= 1;
        fs::write(&block, bytes).unwrap();
        resume(&campaign, &out);
        assert_eq!(changed(&campaign, &out), ["runs.parquet"]);
    }
}
