//! What the command line looks like.

use crate::graph::{GraphCommand, MapArgs};
use crate::limits::LimitArgs;
use clap::builder::{StringValueParser, TypedValueParser};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use graph_bandit::MAX_VISITS;
use graph_bandit::{Init, Preset, Return, TapeKind, Window};
use graph_bandit_lab::campaign::{MOST_RUNS, Shard};
use graph_bandit_server::http::Scope;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Bandits on graphs: an agent walks a graph, every node pays from an unknown law, and the total
/// over one long walk counts.
///
/// Without a command it reproduces the paper: the same as `gbandit reproduce`.
#[derive(Debug, Parser)]
#[command(version)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

impl Args {
    /// The command given, or `reproduce` with all its defaults.
    pub(crate) fn chosen(self) -> Command {
        self.command.unwrap_or_else(|| Self::parse_from(["gbandit", "reproduce"]).chosen())
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Compare agents on one graph: a table of regret with confidence intervals, and the curves.
    Run(RunArgs),
    /// Show which agents, graphs, means and reward laws there are.
    List,
    /// Reproduce the paper: every experiment, every figure, and a verdict on every claim.
    Reproduce(ReproduceArgs),
    /// Carry out a study of your own from a TOML file; the paper's are in experiments/.
    Study(StudyArgs),
    /// Join the parts that --shard made into one result.
    Merge(MergeArgs),
    /// Draw the figures and the page of a result anew, without running.
    Plot(PlotArgs),
    /// Compare preset program with figures measured from the authors' own program: a Markdown table.
    Conformance(ConformanceArgs),
    /// Measure how fast this machine runs, plans and scales, against a plain implementation.
    Bench(BenchArgs),
    /// Look at a map, check it, or write it in another format.
    Graph {
        #[command(subcommand)]
        command: GraphCommand,
    },
    /// Answer robots over HTTP: where to go next, and nothing they tell is ever lost.
    Serve(ServeArgs),
    /// Make a token for `serve`: printed once, with the line to keep in its file.
    Token(TokenArgs),
    /// Play simulated robots against a service, and measure its rate.
    Drone(DroneArgs),
    /// Print the JSON Schema of study files.
    Schema,
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Write the manual pages into a directory.
    Man {
        /// The directory.
        directory: PathBuf,
    },
}

#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct ReproduceArgs {
    /// Only these experiments, separated by commas.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    pub(crate) only: Vec<String>,

    /// A look in seconds: 10 runs of everything, or less where runs are long.
    #[arg(long)]
    pub(crate) quick: bool,

    /// Instead of the paper's experiments, those of the agents that go beyond it: tables and figures
    /// of their regret against G-UCB's.
    #[arg(long)]
    pub(crate) frontier: bool,

    #[command(flatten)]
    pub(crate) campaign: CampaignArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct StudyArgs {
    /// The study, in TOML.
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) campaign: CampaignArgs,
}

#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct CampaignArgs {
    /// Where the results go; report, report-quick, report-frontier, report-frontier-quick, or
    /// report-NAME of a study unless said.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Whose details the figures show, where the paper and its authors' program differ.
    #[arg(long, value_enum)]
    pub(crate) preset: Option<PresetArg>,

    /// Which steps the figures show.
    #[arg(long, value_enum)]
    pub(crate) window: Option<WindowArg>,

    /// Runs per agent and case, instead of each study's own number.
    #[arg(long, value_name = "N", value_parser = whole(1..=MOST_RUNS))]
    pub(crate) runs: Option<u64>,

    /// Where all randomness comes from, instead of each study's own seed.
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: Option<u64>,

    /// Threads; one per core unless said. The results are the same for any number.
    #[arg(long, value_name = "N", value_parser = jobs())]
    pub(crate) jobs: Option<u16>,

    /// Go on with what an interrupted run left in the directory.
    #[arg(long)]
    pub(crate) resume: bool,

    /// Start over, whatever an earlier run left in the directory.
    #[arg(long, conflicts_with = "resume")]
    pub(crate) force: bool,

    /// Make only part K of N; `gbandit merge` joins the parts.
    #[arg(long, value_name = "K/N", value_parser = shard)]
    pub(crate) shard: Option<Shard>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MergeArgs {
    /// The directories of the parts.
    #[arg(required = true, value_name = "DIR")]
    pub(crate) parts: Vec<PathBuf>,

    /// Where the joined result goes.
    #[arg(long, value_name = "DIR", default_value = "report")]
    pub(crate) out: PathBuf,

    /// Start over, whatever an earlier run left in the directory.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PlotArgs {
    /// The directory of a complete result.
    pub(crate) directory: PathBuf,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ConformanceArgs {
    /// Runs per pair of agent and graph, over 100 instances in turn.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = whole(200..=1_000_000))]
    pub(crate) runs: u64,

    /// Threads; one per core unless said. The results are the same for any number.
    #[arg(long, value_name = "N", value_parser = jobs())]
    pub(crate) jobs: Option<u16>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct BenchArgs {
    /// Only these sections; all of them unless said.
    #[arg(value_enum)]
    pub(crate) sections: Vec<SectionArg>,

    /// A look in seconds: fewer rounds, smaller graphs.
    #[arg(long)]
    pub(crate) quick: bool,

    /// Print one JSON object instead of tables; times are in seconds.
    #[arg(long)]
    pub(crate) json: bool,

    /// Write the JSON object into this file as well.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Write the problems of section planning and their solutions into this directory, for
    /// bench/peers.
    #[arg(long, value_name = "DIR", hide = true)]
    pub(crate) export: Option<PathBuf>,

    /// Carry out one measurement that wants a process of its own.
    #[arg(long, value_name = "JSON", hide = true)]
    pub(crate) probe: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SectionArg {
    /// Every agent on the paper's graphs, and its plain implementation.
    Runs,
    /// Shortest paths on large graphs, and petgraph's.
    Planning,
    /// Time and memory against the number of nodes.
    Scale,
    /// Many runs on many cores.
    Studies,
}

const SERVE_EXAMPLES: &str = "Examples:
  gbandit serve
  gbandit serve --listen 127.0.0.1:8080 --store sqlite://fleet.db
  PGPASSWORD=secret gbandit serve --store postgres://gbandit@db.example.org/gbandit
  gbandit token office --scope admin >> tokens && gbandit serve --listen 0.0.0.0:8080 --token-file tokens

docs/service.md walks through it; /openapi.json describes everything it answers.";

#[derive(Debug, ClapArgs)]
#[command(after_help = SERVE_EXAMPLES)]
pub(crate) struct ServeArgs {
    /// The address to listen on; port 0 is any that is free. Other machines are let in only with
    /// --token-file.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,

    /// Where agents are kept: `sqlite://FILE`, created when absent;
    /// `postgres://USER:PASSWORD@HOST/DATABASE`, which several processes may share (without
    /// `:PASSWORD` that of the variable PGPASSWORD is taken); or `memory:` for a trial.
    #[arg(long, value_name = "URL", default_value = "sqlite://gbandit.db")]
    pub(crate) store: String,

    /// Let in only who has a token of this file, which has lines as `gbandit token` prints them.
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,

    /// What is logged to standard error, as JSON.
    #[arg(long, value_enum, default_value_t = LogArg::Info)]
    pub(crate) log: LogArg,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogArg {
    /// Only what failed.
    Error,
    /// Also what had to be mended.
    Warn,
    /// Also every request.
    Info,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TokenArgs {
    /// Whose token it is; appears in the file and in answers to its bearer.
    pub(crate) name: String,

    /// What it allows.
    #[arg(long, value_enum, default_value_t = ScopeArg::Decide)]
    pub(crate) scope: ScopeArg,
}

const DRONE_EXAMPLES: &str = "Examples:
  gbandit drone --graph grid:10x10
  gbandit drone --server http://127.0.0.1:8080 --drones 100 --reports 1000 --tell reward --rate 3000

A token is read from the environment: GBANDIT_TOKEN.";

#[derive(Debug, ClapArgs)]
#[command(after_help = DRONE_EXAMPLES, allow_negative_numbers = true)]
pub(crate) struct DroneArgs {
    /// The service.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) server: String,

    /// The graph they fly: FAMILY:SIZE, such as grid:10x10, or the file of a map.
    #[arg(long, value_name = "FAMILY:SIZE|FILE", default_value = "grid:10x10")]
    pub(crate) graph: String,

    #[command(flatten)]
    pub(crate) map: MapArgs,

    /// The agent that sends them.
    #[arg(long, value_name = "AGENT", default_value = "g-star")]
    pub(crate) agent: String,

    /// Mean rewards, as for `gbandit run`.
    #[arg(long, value_name = "MEANS", default_value = "uniform:0.5,9.5")]
    pub(crate) means: String,

    /// The noise around the means.
    #[arg(long, value_name = "NOISE", default_value = "uniform:0.5")]
    pub(crate) noise: String,

    /// How many fly at the same time, each with an agent and a world of its own.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=1_000))]
    pub(crate) drones: u64,

    /// How many reports each makes.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = whole(1..=u64::MAX))]
    pub(crate) reports: u64,

    /// What a report holds.
    #[arg(long, value_enum, default_value_t = TellArg::Leg)]
    pub(crate) tell: TellArg,

    /// How many reports all drones together make in a second, whether answered or not: times are
    /// then counted from when a report was due. As many as are answered unless said.
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000))]
    pub(crate) rate: Option<u64>,

    /// What their agents are called, a number after it; where such are, they are flown on.
    #[arg(long, value_name = "NAME", default_value = "drone")]
    pub(crate) name: String,

    /// Where all randomness comes from.
    #[arg(long, value_name = "SEED", default_value_t = 0, value_parser = whole(0..=u64::MAX))]
    pub(crate) seed: u64,

    /// Print one JSON object instead of a table; times are in seconds.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TellArg {
    /// A whole leg.
    Leg,
    /// One reward.
    Reward,
}

const RUN_EXAMPLES: &str = "Examples:
  gbandit run --graph grid:10x10
  gbandit run --graph grid:10x10 --agents g-ucb,ucrl2,local-ts,frontier
  gbandit run --graph roads.csv --agents g-ucb:bonus=0.5,g-ucb --noise gaussian:1
  gbandit run --graph star:30 --means uniform:0,1 --noise bernoulli --steps 100000 --json

`gbandit list` shows the agents, graphs and reward laws there are.";

#[derive(Debug, ClapArgs)]
#[command(after_help = RUN_EXAMPLES, allow_negative_numbers = true)]
pub(crate) struct RunArgs {
    /// The graph: FAMILY:SIZE, such as grid:10x10, or the file of a map: .graphml, .geojson, .csv (an
    /// edge list: source,target), .dot or .osm.pbf.
    #[arg(long, value_name = "FAMILY:SIZE|FILE")]
    pub(crate) graph: String,

    #[command(flatten)]
    pub(crate) map: MapArgs,

    /// The agents, separated by commas; parameters as in g-ucb:bonus=0.5. `paper` stands for all of
    /// the paper's, `frontier` for those that go beyond it.
    #[arg(long, value_name = "AGENT,..", default_value = "g-star")]
    pub(crate) agents: String,

    /// Mean rewards: drawn for each run, as in uniform:0.5,9.5, or the rows of a file, used in turn,
    /// as in `file:means.csv`.
    #[arg(long, value_name = "MEANS", default_value = "uniform:0.5,9.5")]
    pub(crate) means: String,

    /// The noise around the means: uniform:0.5, bernoulli, gaussian:1, ..
    #[arg(long, value_name = "NOISE", default_value = "uniform:0.5")]
    pub(crate) noise: String,

    /// Steps that count, after initialization.
    #[arg(long, value_name = "T", default_value_t = 20_000, value_parser = whole(1..=MAX_VISITS))]
    pub(crate) steps: u64,

    /// Runs per agent.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole(1..=u64::MAX))]
    pub(crate) runs: u64,

    /// Where all randomness comes from.
    #[arg(long, value_name = "SEED", default_value_t = 0, value_parser = whole(0..=u64::MAX))]
    pub(crate) seed: u64,

    /// Whose details to follow where the paper and its authors' program differ.
    #[arg(long, value_enum, default_value_t = PresetArg::Paper)]
    pub(crate) preset: PresetArg,

    /// Which steps count: the first T (honest), or the last T of a run that ends only with a whole
    /// leg (only for comparison with the paper's published figures).
    #[arg(long, value_enum, default_value_t = WindowArg::First)]
    pub(crate) window: WindowArg,

    /// The node to start on, by its name or its number; 0 unless said.
    #[arg(long, value_name = "NODE")]
    pub(crate) start: Option<String>,

    /// How initialization covers the graph.
    #[arg(long, value_enum, default_value_t = InitArg::Lowest)]
    pub(crate) init: InitArg,

    /// How the agent gets back to its start after initialization.
    #[arg(long = "return", value_name = "RETURN", value_enum, default_value_t = ReturnArg::Jump)]
    pub(crate) back: ReturnArg,

    /// How rewards are drawn; `sums` is for legs of a thousand visits and more.
    #[arg(long, value_enum, default_value_t = TapeArg::OneByOne)]
    pub(crate) tape: TapeArg,

    /// How many times to record regret: at t = floor(T k / K) for k = 1 to K.
    #[arg(long, value_name = "K", default_value_t = 20, value_parser = whole(1..=1_000_000))]
    pub(crate) checkpoints: u64,

    /// Threads; one per core unless said. The results are the same for any number.
    #[arg(long, value_name = "N", value_parser = jobs())]
    pub(crate) jobs: Option<u16>,

    /// Print one JSON object instead of table and curves.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Reads a whole number in `range`; unlike clap's own, says so whatever else was written.
pub(crate) fn whole(range: RangeInclusive<u64>) -> impl TypedValueParser<Value = u64> {
    StringValueParser::new().try_map(move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let (lowest, highest) = (range.start(), range.end());
            format!("write a whole number from {lowest} to {highest}")
        })
    })
}

/// Reads `K/N`, part K of N.
fn shard(text: &str) -> Result<Shard, String> {
    let parts =
        text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    match parts {
        Some((part, of)) if (1..=of).contains(&part) => Ok(Shard { part, of }),
        _ => Err("write K/N, part K of N, as in 2/8".to_owned()),
    }
}

fn jobs() -> impl TypedValueParser<Value = u16> {
    whole(1..=u16::MAX.into()).map(|jobs| jobs as u16)
}

/// Clap's view of an enum of the library, with a help line per value.
macro_rules! value_enum {
    ($name:ident => $target:ident { $($(#[doc = $doc:literal])* $variant:ident,)* }) => {
        #[derive(Debug, Clone, Copy, ValueEnum)]
        pub(crate) enum $name {
            $($(#[doc = $doc])* $variant,)*
        }

        impl From<$name> for $target {
            fn from(value: $name) -> Self {
                match value {
                    $($name::$variant => Self::$variant,)*
                }
            }
        }
    };
}

value_enum!(PresetArg => Preset {
    /// The paper's text.
    Paper,
    /// The authors' program.
    Program,
});

value_enum!(WindowArg => Window {
    /// The first T steps after initialization.
    First,
    /// The last T steps of whole legs; flatters agents that make long ones.
    Last,
});

value_enum!(InitArg => Init {
    /// To the unvisited node of lowest number.
    Lowest,
    /// To the nearest unvisited node.
    Nearest,
    /// Depth first: fewer than twice as many steps as nodes.
    DepthFirst,
    /// Not at all: unvisited nodes are infinitely promising.
    None,
});

value_enum!(ReturnArg => Return {
    /// It is put there.
    Jump,
    /// It walks there.
    Walk,
});

value_enum!(ScopeArg => Scope {
    /// To look.
    Read,
    /// To ask and to report.
    Decide,
    /// To create, import and delete.
    Admin,
});

value_enum!(TapeArg => TapeKind {
    /// One by one.
    OneByOne,
    /// By the sums of whole legs, where rewards are Bernoulli or Gaussian: the same law, other luck.
    Sums,
});
