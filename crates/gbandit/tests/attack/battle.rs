//! Robots at work, attackers that strike in an order decided by the seed, and the checker at the
//! end.

use crate::arena::Arena;
use crate::chance::Chance;
use crate::checker::{compare_history, compare_twin, standing};
use crate::diary::{Answer, Diary};
use crate::gauges::Gauges;
use crate::http::{Addresses, Http};
use crate::process::Server;
use crate::robot::{self, ROBOTS, Robot};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// An attack on a service while robots use it.
pub(crate) trait Attack {
    fn name(&self) -> &'static str;

    /// Attacks once. When it returns, nothing hinders the service any more.
    fn strike(&mut self, arena: &mut Arena, chance: &mut Chance);
}

/// How often each attacker strikes, and when.
pub(crate) struct Plan {
    pub(crate) name: &'static str,
    pub(crate) seed: u64,
    pub(crate) attacks: Vec<(Box<dyn Attack>, u64)>,
    /// Receipts between two strikes.
    pub(crate) receipts_between: u64,
    /// How long a robot travels.
    pub(crate) pace: Duration,
    /// Continues with strikes for this long, whatever their numbers.
    pub(crate) at_least: Duration,
}

/// The time between two progress messages.
const PROGRESS: Duration = Duration::from_secs(30);
/// Reports that each robot makes after the battle.
const AFTERWARDS: u64 = 5;

/// Fights, and judges what was seen.
///
/// # Panics
/// When the service broke a promise.
pub(crate) fn fight(mut arena: Arena, mut plan: Plan) {
    let (seed, name) = (plan.seed, plan.name);
    println!("{name}: seed {seed}");
    for (robot, agent) in ROBOTS {
        robot::create(&Http::new(&arena.addresses), robot, agent);
    }
    let mut gauges = Gauges::new(&arena, name);
    let over = AtomicBool::new(false);
    let (mut struck, mut slowest) = (BTreeMap::new(), Duration::ZERO);
    let diaries: Vec<Diary> = std::thread::scope(|scope| {
        let flying: Vec<_> = ROBOTS
            .iter()
            .enumerate()
            .map(|(number, &(robot, _))| {
                let http = Http::new(&arena.addresses);
                let (receipts, over, pace) = (Arc::clone(&arena.counters), &over, plan.pace);
                let robot = Robot::new(robot, http, (seed, arena.began));
                scope.spawn(move || work(robot, (over, &receipts[number]), pace))
            })
            .collect();
        let _ended = EndsRobots(arena.addresses.clone());
        let mut chance = Chance::new(seed, name);
        let since = Instant::now();
        let mut say_at = PROGRESS;
        let mut turns = turns(&plan.attacks, &mut chance);
        loop {
            let Some(turn) = turns.pop() else {
                if since.elapsed() >= plan.at_least {
                    break;
                }
                turns = self::turns(&plan.attacks, &mut chance);
                continue;
            };
            arena.wait_for_receipts(plan.receipts_between);
            let attack = &mut plan.attacks[turn].0;
            attack.strike(&mut arena, &mut chance);
            *struck.entry(attack.name()).or_insert(0_u64) += 1;
            let after = Instant::now();
            arena.wait_for_everybody();
            slowest = slowest.max(after.elapsed());
            gauges.look(&arena, since.elapsed());
            if since.elapsed() >= say_at {
                say_at += PROGRESS;
                let strikes: u64 = struck.values().sum();
                let receipts = arena.receipts();
                println!("{name}: {:.0?}, {strikes} strikes, {receipts} receipts", since.elapsed());
            }
        }
        over.store(true, Ordering::Relaxed);
        flying.into_iter().map(|robot| robot.join().unwrap()).collect()
    });
    let counted: Vec<String> =
        struck.iter().map(|(attack, times)| format!("{times} {attack}")).collect();
    println!("{name}: {}; the slowest recovery took {slowest:.1?}", counted.join(", "));
    gauges.say();
    // Only what is on disk counts.
    arena.fall();
    judge(&arena, &diaries, name);
}

/// If an attacker fails, robots stop waiting for the service.
struct EndsRobots(Addresses);

impl Drop for EndsRobots {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.give_up();
        }
    }
}

/// The order of attackers: each as often as planned, shuffled. The last one comes first.
fn turns(attacks: &[(Box<dyn Attack>, u64)], chance: &mut Chance) -> Vec<usize> {
    let each = attacks.iter().enumerate();
    let mut turns: Vec<usize> =
        each.flat_map(|(attack, (_, times))| (0..*times).map(move |_| attack)).collect();
    for end in (1..turns.len()).rev() {
        turns.swap(end, chance.below(end as u64 + 1) as usize);
    }
    turns
}

fn work(mut robot: Robot, (over, receipts): (&AtomicBool, &AtomicU64), pace: Duration) -> Diary {
    while !over.load(Ordering::Relaxed) {
        receipts.fetch_add(u64::from(robot.step(pace)), Ordering::Relaxed);
    }
    // A report may be refused once, because a backup was restored; the next one may not.
    robot.step(Duration::ZERO);
    for _ in 0..AFTERWARDS {
        assert!(robot.step(Duration::ZERO), "refused after all was over");
    }
    robot.diary
}

/// The checker's verdict.
fn judge(arena: &Arena, diaries: &[Diary], name: &str) {
    let log = arena.directory.join("twin-log");
    let twin = Server::start("memory:", &log, &["--log", "warn"]);
    let at_twin = Addresses::default();
    at_twin.set(0, &twin.url);
    let (mut receipts, mut rewards, mut lost) = (0, 0, 0);
    std::thread::scope(|scope| {
        let mut judged = Vec::new();
        for (diary, (robot, agent)) in diaries.iter().zip(ROBOTS) {
            let (here, there) = (Http::new(&arena.addresses), Http::new(&at_twin));
            judged.push(scope.spawn(move || {
                let stands = standing(diary, &arena.restorations).unwrap_or_else(|found| {
                    panic!("{name}: {found:?}");
                });
                let history = robot::history(&here, robot);
                compare_history(robot, &stands, &history)
                    .unwrap_or_else(|found| panic!("{name}: {found:?}"));
                robot::create(&there, robot, agent);
                let path = format!("/v1/agents/{robot}");
                let flown = stands.iter().map(|stands| {
                    let order = there.answered(&format!("{path}/ask"), Some(&json!({}))).1;
                    let report = &stands.told.report;
                    let path = format!("{path}/{}", report.to);
                    let answer = there.answered(&path, Some(&report.body));
                    (robot::order_of(&order).text, robot::answer_of(answer))
                });
                compare_twin(robot, &stands, flown)
                    .unwrap_or_else(|found| panic!("{name}: {found:?}"));
                let estimates = format!("{path}/estimates");
                assert_eq!(here.answered(&estimates, None), there.answered(&estimates, None));
                let told = diary.pages.iter().filter(|page| is_receipt(page)).count();
                let rewards: usize =
                    stands.iter().map(|stands| stands.told.report.rewards.len()).sum();
                (stands.len(), rewards, told - stands.len())
            }));
        }
        for judged in judged {
            let (of_robot, rewards_of_robot, others) = judged.join().unwrap();
            receipts += of_robot;
            rewards += rewards_of_robot;
            lost += others;
        }
    });
    arena.verify();
    println!(
        "{name}: {receipts} reports of {rewards} rewards stand, each once, with its receipt and its \
         order; {lost} more receipts were of repeats, or of what restored backups took"
    );
}

fn is_receipt(page: &crate::diary::Page) -> bool {
    matches!(page, crate::diary::Page::Told(told) if matches!(told.answer, Answer::Receipt(_)))
}
