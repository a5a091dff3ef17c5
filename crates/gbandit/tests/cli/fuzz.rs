//! Hundreds of damaged command lines and files: a result or a clean error, never a panic.

use crate::program::{file, gbandit};
use serde_json::Value;

/// Knuth's MMIX generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    /// Replaces, inserts or removes up to two characters. Inserts no digit but zero, so that sizes
    /// stay small.
    fn damage(&mut self, text: &str) -> String {
        const STRANGE: [char; 20] = [
            '-',
            '+',
            ':',
            ',',
            '.',
            'x',
            '=',
            '#',
            '"',
            'e',
            '0',
            ' ',
            '\t',
            '\n',
            '\u{feff}',
            'é',
            'n',
            '/',
            '\\',
            '\u{1F600}',
        ];
        let mut characters: Vec<char> = text.chars().collect();
        for _ in 0..self.below(3) {
            let at = self.below(characters.len() + 1);
            let strange = STRANGE[self.below(STRANGE.len())];
            match self.below(3) {
                0 => characters.insert(at, strange),
                1 if at < characters.len() => characters[at] = strange,
                _ if at < characters.len() => drop(characters.remove(at)),
                _ => {}
            }
        }
        characters.into_iter().collect()
    }
}

const GRAPHS: &[&str] = &[
    "line:5",
    "circle:5",
    "star:6",
    "tree:7",
    "tree:7,3",
    "grid:3x4",
    "complete:5",
    "broom:7,3",
    "arkansas",
    "barbell:3,2",
    "erdos-renyi:20,0.3",
    "geometric:20,0.5",
    "small-world:12,4,0.2",
];
const AGENTS: &[&str] = &[
    "g-ucb",
    "g-ucb:bonus=0.5",
    "direct-sp,ucrl2",
    "ucrl2:delta=0.1",
    "g-ucb-ucrl2-bound",
    "g-ucb-ucrl2-doubling,g-ucb",
    "local-ucb:bonus=2",
    "local-ts",
    "ql-eps:alpha=0.3,gamma=0.8",
    "ql-ucb-h",
];
const MEANS: &[&str] = &["uniform:0.5,9.5", "uniform:0,1", "fixed:1,2,3,4,5", "file:nothing.csv"];
const NOISES: &[&str] = &[
    "uniform:0.5",
    "bernoulli",
    "beta:10",
    "gaussian:1",
    "truncated-gaussian:0.25,0.5",
    "constant",
    "empirical:-0.5,0.1,0.4",
];

fn numbers_are_finite(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.iter().all(numbers_are_finite),
        Value::Number(number) => number.as_f64().is_some_and(f64::is_finite),
        _ => false,
    }
}

/// One object and nothing else, or no data and a message.
fn check(args: &[String], codes: &[i32]) -> i32 {
    let answer = gbandit(args);
    assert!(codes.contains(&answer.code), "{args:?}: {answer:?}");
    if answer.code == 0 {
        let value: Value = serde_json::from_str(&answer.stdout).unwrap();
        for agent in value["agents"].as_array().unwrap() {
            assert!(numbers_are_finite(&agent["regret_mean"]), "{args:?}: {agent}");
        }
    } else {
        assert_eq!(answer.stdout, "", "{args:?}");
        assert!(answer.stderr.starts_with("error: "), "{args:?}: {answer:?}");
    }
    answer.code
}

#[test]
fn damaged_command_lines() {
    let mut dice = Dice(1);
    let mut seen = Vec::new();
    for _ in 0..400 {
        let flags = [
            ("--graph", dice.pick(GRAPHS)),
            ("--agents", dice.pick(AGENTS)),
            ("--means", dice.pick(MEANS)),
            ("--noise", dice.pick(NOISES)),
            ("--steps", dice.pick(&["1", "40", "200"])),
            ("--runs", dice.pick(&["1", "2", "3"])),
            ("--seed", dice.pick(&["0", "7", "18446744073709551615"])),
            ("--preset", dice.pick(&["paper", "program"])),
            ("--window", dice.pick(&["first", "last"])),
            ("--start", dice.pick(&["0", "1", "4"])),
            ("--init", dice.pick(&["lowest", "nearest", "depth-first", "tour", "none"])),
            ("--return", dice.pick(&["jump", "walk"])),
            ("--tape", dice.pick(&["one-by-one", "sums"])),
            ("--checkpoints", dice.pick(&["1", "20", "50"])),
            ("--jobs", dice.pick(&["1", "2"])),
        ];
        // Two flags are damaged; about half of the others are left out.
        let broken = [dice.below(flags.len()), dice.below(flags.len())];
        let mut args = vec!["run".to_owned(), "--json".to_owned()];
        for (i, (flag, value)) in flags.into_iter().enumerate() {
            let is_broken = broken.contains(&i);
            // The defaults of these flags are too large for a loop.
            let is_needed = ["--graph", "--steps", "--runs"].contains(&flag);
            if is_broken || is_needed || dice.below(2) == 0 {
                let value = if is_broken { dice.damage(value) } else { value.to_owned() };
                args.push(format!("{flag}={value}"));
            }
        }
        seen.push(check(&args, &[0, 2, 3]));
    }
    // The damage is neither always fatal nor always harmless.
    for code in [0, 2, 3] {
        let times = seen.iter().filter(|&&seen| seen == code).count();
        assert!(times > 20, "exit code {code} {times} times");
    }
}

#[test]
fn damaged_edge_lists() {
    let mut dice = Dice(2);
    for _ in 0..100 {
        let text = dice.pick(&[
            "source,target\n0,1\n1,2\n",
            "a\tb\nb\tc\r\n",
            "# roads\n\"a,b\",c\nc,d\n",
            "\u{feff}from,to\r\n0,1\r\n",
        ]);
        let text = dice.damage(text);
        let path = file("fuzzed-edges.csv", dice.damage(&text));
        let args = ["run", "--json", "--steps=9", "--runs=1", "--graph", &path];
        check(&args.map(str::to_owned), &[0, 3]);
    }
}

#[test]
fn damaged_means() {
    let mut dice = Dice(3);
    for _ in 0..100 {
        let text = dice.pick(&["1,2\n3,4\n", "0.5,0.25\r\n1,1\r\n", "\u{feff}-1e3,2\n\n"]);
        let path = file("fuzzed-means.csv", dice.damage(text));
        let means = format!("--means=file:{path}");
        let args = ["run", "--json", "--steps=9", "--runs=2", "--graph=line:2", &means];
        check(&args.map(str::to_owned), &[0, 3]);
    }
}
