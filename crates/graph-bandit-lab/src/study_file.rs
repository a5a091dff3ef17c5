//! A study as data: the TOML file of the paper's experiments and of your own.

mod case;
mod means_text;
mod mistake;
mod overrides;
mod team_keys;

pub use case::Case;
pub use overrides::Overrides;
pub use team_keys::{StartsText, TeamKeys, WalkersText};

use crate::error::FileError;
use crate::figure_request::FigureRequest;
use crate::node_name::NodeName;
use crate::text_file::read_text;
use crate::window::Window;
use graph_bandit::run::{Against, RegretFrom};
use graph_bandit::spec::Named;
use graph_bandit::team::Draws;
use graph_bandit::{Init, Preset, Return, TapeKind};
use mistake::line_of_key;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use std::path::Path;
use team_keys::in_words;

/// A study: some cases (graphs), the agents that run on them, and the figures to draw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StudyFile {
    /// A short name in lower case, used for files and `--only`.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Its place in the paper, if it has one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// A paragraph on what it shows.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Steps that count. They begin where `regret-from` says.
    #[serde(default = "default_steps")]
    pub steps: u64,
    /// Runs per agent and case.
    #[serde(default = "default_runs")]
    pub runs: u64,
    /// How many times regret is recorded.
    #[serde(default = "default_checkpoints")]
    pub checkpoints: u64,
    /// The agent that all others are compared with in a table of ratios (default: none).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// The agents of every case that does not name its own, such as `g-ucb:bonus=0.5` or `oracle`.
    /// From Python, also your own by import path, as in `mine.agents:Lazy:rate=0.5`. Default:
    /// g-star.
    #[serde(default = "default_agents")]
    pub agents: Vec<String>,
    /// Mean rewards: `uniform:0.5,9.5`, `needle:0.5,0.7`, `fixed:1,2,3` or `file:means.csv`. Means
    /// that change: `redrawn:0.5,9.5,4000` and the like, `changes:table.csv`, or the rows of such a
    /// table, as in `[[0, 0.3, 0.5], [1000, 0.3, 0.2]]`.
    #[serde(default = "default_means", deserialize_with = "means_text::text")]
    #[schemars(schema_with = "means_text::schema")]
    pub means: String,
    /// The noise around the means: `uniform:0.5`, `bernoulli`, `gaussian:1` and so on. Several,
    /// separated by `|`, are spread over the nodes at random. From Python, also rewards of your own
    /// by import path, as in `mine.laws:triangular`.
    #[serde(default = "default_noise")]
    pub noise: String,
    /// The start node: its number, or its name in the map.
    #[serde(default)]
    pub start: NodeName,
    /// How initialization covers the graph.
    #[serde(default)]
    #[schemars(schema_with = "names::<Init>")]
    pub init: Init,
    /// How the agent returns to its start after initialization.
    #[serde(default, rename = "return")]
    #[schemars(schema_with = "names::<Return>")]
    pub back: Return,
    /// How rewards are drawn: one by one, or as the sums of whole legs, which is faster if legs are
    /// long and rewards Bernoulli or Gaussian.
    #[serde(default)]
    #[schemars(schema_with = "names::<TapeKind>")]
    pub tape: TapeKind,
    /// What regret is measured against: the best mean of every moment, or for teams the best static
    /// allocation (`free`); the best walk of an agent that knows all means over time (`planning`); or
    /// the walk of an agent that knows only the present means (`causal`). Default: `free`.
    #[serde(default, skip_serializing_if = "is_free")]
    #[schemars(schema_with = "names::<Against>")]
    pub against: Against,
    /// The walkers that share each graph: their number, or a CSV file with one row per walker and the columns
    /// `start`, `speed` and `nodes`. Default: one walker alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walkers: Option<WalkersText>,
    /// Where the walkers start: `random`, drawn for every run, or a node, or one node for each, as
    /// in `[0, 4]`. Default: random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<StartsText>,
    /// What c walkers on one node are worth, as a multiple f(c) of one draw: `equal`, `capacity:3`,
    /// `power:0.5`, `log:0.05`, `sequel` (the shares of the paper on teams), or `file:shares.csv` with one
    /// row per node: f(1),f(2),.. Default: equal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<String>,
    /// What walkers on one node draw: one draw that all of them share (`one`), or one draw each (`own`).
    /// Default: one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "names::<Draws>")]
    pub draws: Option<Draws>,
    /// The most walkers that are sent to one node. Default: any number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seats: Option<u64>,
    /// The first step that counts: the first after initialization (`cover`), or the first of
    /// initialization (`start`). Default: `start` for several walkers, else `cover`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "names::<RegretFrom>")]
    pub regret_from: Option<RegretFrom>,
    /// Which details to follow where the paper and its authors' program differ.
    #[serde(default)]
    #[schemars(schema_with = "names::<Preset>")]
    pub preset: Preset,
    /// Which T steps the figures count, where T is `steps`: the first T, beginning where
    /// `regret-from` says, or the last T of a run that goes on until its last leg is complete.
    #[serde(default)]
    pub window: Window,
    /// The windows that runs are measured in; they must include `window`, which the figures show.
    /// Default: `window` alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "some_windows")]
    #[schemars(length(min = 1))]
    pub windows: Vec<Window>,
    /// The seed of all randomness.
    #[serde(default)]
    pub seed: u64,
    /// The graphs to run on.
    pub cases: Vec<Case>,
    /// The figures to draw (default: one panel of curves per case).
    #[serde(default = "default_figures")]
    pub figures: Vec<FigureRequest>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
pub(crate) fn is_free(against: &Against) -> bool {
    *against == Against::Free
}

/// The names of a library enum.
fn names<T: Named>(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = T::ALL.iter().map(|value| value.name()).collect();
    schemars::json_schema!({"type": "string", "enum": names})
}

fn some_windows<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Window>, D::Error> {
    let windows = Vec::deserialize(from)?;
    if windows.is_empty() {
        return Err(D::Error::custom("`windows` is empty; name one, or leave the key out"));
    }
    Ok(windows)
}

fn default_steps() -> u64 {
    20_000
}

fn default_runs() -> u64 {
    100
}

fn default_checkpoints() -> u64 {
    20
}

fn default_agents() -> Vec<String> {
    vec!["g-star".to_owned()]
}

fn default_means() -> String {
    "uniform:0.5,9.5".to_owned()
}

fn default_noise() -> String {
    "uniform:0.5".to_owned()
}

fn default_figures() -> Vec<FigureRequest> {
    let curves = serde_json::Map::from_iter([("kind".to_owned(), "curves".into())]);
    FigureRequest::of_fields(curves).into_iter().collect()
}

impl StudyFile {
    /// Reads a study from a file.
    ///
    /// # Errors
    /// Names file and line; for an unknown key also a similar one.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let text = read_text(path, "a study in TOML")?;
        Self::parse(&text, path)
    }

    /// Reads a study from text; `path` is for messages.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn parse(text: &str, path: &Path) -> Result<Self, FileError> {
        toml::from_str(text).map_err(|error| {
            // In bytes: a mistake need not start at a character boundary.
            let before = error.span().and_then(|span| text.as_bytes().get(..span.start));
            let line = before.map(|text| text.split(|&byte| byte == b'\n').count() as u64);
            let line = line.map(|line| line_of_key(text, line, error.message()));
            let reason = mistake::in_words(text, line, error.message());
            FileError { path: path.to_owned(), line, reason }
        })
    }

    /// The windows that its runs are measured in.
    pub fn measured_in(&self) -> Vec<Window> {
        if self.windows.is_empty() { vec![self.window] } else { self.windows.clone() }
    }

    /// The team of one of its cases, if several walkers share its graph.
    ///
    /// # Errors
    /// When a key of teams is there, but none says who walks, or a key of one walker is there.
    pub(crate) fn team_of(&self, case: &Case) -> Result<Option<TeamKeys>, String> {
        let starts = case.starts.as_ref().or(self.starts.as_ref()).cloned();
        let share = case.share.as_ref().or(self.share.as_ref()).cloned();
        let draws = case.draws.or(self.draws);
        let seats = case.seats.or(self.seats);
        if let Some(walkers) = case.walkers.as_ref().or(self.walkers.as_ref()).cloned() {
            if case.start.is_some() || self.start != NodeName::default() {
                return Err("start: it is for one walker; teams have starts".to_owned());
            }
            return Ok(Some(TeamKeys { walkers, starts, share, draws, seats }));
        }
        let without_walkers = [
            ("starts", starts.is_some()),
            ("share", share.is_some()),
            ("draws", draws.is_some()),
            ("seats", seats.is_some()),
        ];
        match without_walkers.into_iter().find(|(_, given)| *given) {
            Some((key, _)) => {
                Err(format!("{key}: it needs walkers; say how many, as in walkers = 5"))
            }
            None => Ok(None),
        }
    }

    /// The teams of all its cases in one phrase; `None` if no case has one.
    pub(crate) fn teams_in_words(&self) -> Option<String> {
        let teams: Vec<TeamKeys> =
            self.cases.iter().filter_map(|case| self.team_of(case).ok().flatten()).collect();
        in_words(&teams)
    }

    /// Whether regret counts from the first step of initialization, in every case.
    pub(crate) fn counts_from_start(&self) -> bool {
        let is_team = |case: &Case| {
            let walkers = case.walkers.as_ref().or(self.walkers.as_ref());
            walkers.is_some_and(|walkers| walkers.number().is_none_or(|number| number > 1))
        };
        match self.regret_from {
            Some(from) => from == RegretFrom::Start,
            None => !self.cases.is_empty() && self.cases.iter().all(is_team),
        }
    }

    /// The JSON Schema of study files.
    pub fn schema() -> String {
        let schema = schemars::schema_for!(Self);
        serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph_bandit::MAX_VISITS;
    use std::fs;

    const SMALL: &str = "name = 'mine'\ntitle = 'Mine'\n[[cases]]\ngraph = 'line:5'\n";

    fn parse(text: &str) -> Result<StudyFile, FileError> {
        StudyFile::parse(text, Path::new("mine.toml"))
    }

    #[test]
    fn defaults_are_the_papers_except_the_agent() {
        let study = parse(SMALL).unwrap();
        assert_eq!((study.steps, study.runs, study.checkpoints), (20_000, 100, 20));
        assert_eq!(study.agents, ["g-star"]);
        assert_eq!(study.cases[0].title(), "line:5");
        let again = toml::to_string(&study).unwrap();
        assert_eq!(parse(&again).unwrap(), study);
    }

    #[test]
    fn a_wrong_key_is_named_with_its_line_and_near_match() {
        let wrong = parse(&format!("{SMALL}titel = 'x'\n")).unwrap_err();
        assert_eq!(wrong.line, Some(5));
        assert!(wrong.reason.contains("did you mean `title`?"), "{wrong}");
        let inside = "[[figures]]\nkind = 'curves'\n\nbras = []\n";
        let inside = parse(&format!("{SMALL}{inside}")).unwrap_err();
        assert_eq!(inside.line, Some(8), "{inside}");
        let kind = parse(&format!("{SMALL}[[figures]]\nkind = 'curve'\n")).unwrap_err();
        assert!(kind.to_string().contains("did you mean `curves`?"), "{kind}");
        let value = parse("name = 'a'\ntitle = 3\ncases = []\n").unwrap_err();
        assert_eq!(value.line, Some(2));
        assert!(parse("name = ").unwrap_err().to_string().starts_with("mine.toml:1: "));
    }

    #[test]
    fn a_single_table_and_a_number_out_of_range_get_a_remedy() {
        let table =
            parse("name = 'a'\ntitle = 'A'\n[ cases ] # one\ngraph = 'line:5'\n").unwrap_err();
        assert_eq!(table.line, Some(3), "{table}");
        assert_eq!(table.reason, "invalid type: map, expected a list; write [[cases]]");
        let inline = parse("name = 'a'\ntitle = 'A'\ncases = {graph = 'line:5'}\n").unwrap_err();
        assert_eq!(inline.reason, "invalid type: map, expected a list");
        for (key, most) in [("steps", MAX_VISITS), ("seed", u64::MAX)] {
            for number in ["99999999999999999999", "-99999999999999999999", &"9".repeat(60)] {
                let wrong = parse(&format!("{key} = {number}\n{SMALL}")).unwrap_err();
                let said =
                    format!("the number is out of range; write a whole number from 0 to {most}");
                assert_eq!((wrong.line, wrong.reason), (Some(1), said), "{key} = {number}");
            }
        }
    }

    #[test]
    fn damaged_studies_are_errors_and_never_panics() {
        let pieces =
            ["é", "\"", "'''", "[[", "]", "=", "\n", "\0", "{", "1e999", "-", "cases", "\u{feff}"];
        let mut stream = graph_bandit::Seed(17).stream();
        let mut below = |bound: usize| stream.below(bound as u64) as usize;
        let mut refused = 0;
        let folder =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../graph-bandit-paper/experiments");
        let mut files: Vec<_> =
            fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
        files.sort();
        for file in files {
            let study = StudyFile::read(&file).unwrap();
            let whole: Vec<char> = toml::to_string(&study).unwrap().chars().collect();
            for _ in 0..60 {
                let mut text = whole.clone();
                for _ in 0..=below(2) {
                    let at = below(text.len());
                    let until = text.len().min(at + below(20));
                    let piece = pieces[below(pieces.len())];
                    text.splice(at..until, piece.chars());
                }
                let text: String = text.into_iter().collect();
                let Err(wrong) = parse(&text) else { continue };
                refused += 1;
                let lines = 1 + text.matches('\n').count() as u64;
                assert!(wrong.line.is_none_or(|line| (1..=lines).contains(&line)), "{wrong}");
                assert!(!wrong.reason.is_empty());
            }
        }
        assert!(refused > 300, "{refused}");
    }

    #[test]
    fn the_schema_knows_every_key() {
        let schema: serde_json::Value = serde_json::from_str(&StudyFile::schema()).unwrap();
        let keys = schema["properties"].as_object().unwrap();
        for key in
            ["name", "cases", "figures", "return", "tape", "preset", "windows", "checkpoints"]
        {
            assert!(keys.contains_key(key), "{key}");
        }
        assert_eq!(schema["additionalProperties"], false);
    }
}
