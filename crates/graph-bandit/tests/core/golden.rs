//! Golden trajectories: for every agent in both presets, a fingerprint of where it went and what it
//! cost. A change here changes everybody's results, so it needs a line under "Trajectory changes"
//! in CHANGELOG.md. If it is intended, copy the table that the failing test prints.

use crate::support::agents::anywhere;
use crate::support::trace::Trace;
use crate::support::worlds;
use graph_bandit::run::run_observed;
use graph_bandit::{AgentSpec, MeansSpec, Preset, RunPlan, Seed, Timetable, World};
use std::fmt::Write;

const GRAPHS: [&str; 4] = ["grid:4x4", "line:6", "star:7", "complete:5"];
const STEPS: u64 = 300;
const SEED: Seed = Seed(2024);
/// In worlds that change: the agents that forget, and those that are told when to.
const FORGETFUL: [&str; 13] = [
    "g-drift",
    "g-drift:rate=0.001",
    "g-ucb:restarts=oracle",
    "g-ucb:restarts=periodic,period=90",
    "restarting-klucb:rewards=gaussian",
    "glr-klucb:rewards=gaussian",
    "cusum-klucb:rewards=gaussian",
    "m-klucb:rewards=gaussian",
    "sw-klucb:rewards=gaussian",
    "discounted-klucb:rewards=gaussian",
    "discounted-ts:rewards=gaussian",
    "sw-ucb",
    "sw-ts:rewards=gaussian",
];

/// Variants that documents recommend.
const RECOMMENDED: [&str; 6] = [
    "g-star:caution=1.2,doubt=3",
    "g-star:trust=0.9",
    "g-star:caution=1.2,doubt=3,trust=0.9",
    "g-star:foresight=1",
    "g-star:trust=0.9,foresight=1",
    "g-horizon:horizon=320",
];

/// `g-safe` with a budget so small that it refuses some legs of `g-star` within `STEPS`, and sweeps.
/// With its own budget it would walk as `g-star` does.
const REFUSING: &str = "g-safe:budget=2,resolution=2";

/// FNV-1a, 64 bits.
struct Fnv(u64);

impl Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// The nodes of the first `STEPS` steps, then the bits of final regret and reward.
fn fingerprint(world: &World, spec: &AgentSpec) -> u64 {
    let mut agent = spec.build(world.graph()).unwrap();
    let mut trace = Trace::default();
    let plan = RunPlan::new(STEPS, 1);
    let record = run_observed(world, &mut *agent, &plan, SEED, &mut trace).unwrap();
    assert!(trace.before_first_leg.is_some());
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    for node in &trace.visits_by_leg().concat()[..STEPS as usize] {
        hash.write(&node.to_le_bytes());
    }
    let end = record.checkpoints[0];
    hash.write(&end.regret.to_bits().to_le_bytes());
    hash.write(&end.reward.to_bits().to_le_bytes());
    hash.0
}

/// All means are drawn again every 80 steps.
fn changing(graph: &str) -> World {
    let world = worlds::world(graph, "uniform:0.5", "uniform:0.5,3.5", Preset::Paper, SEED);
    let means: MeansSpec = "uniform:0.5,3.5".parse().unwrap();
    let row = |k: u64| (80.0 * k as f64, means.draw(world.graph().len(), Seed(k)).unwrap());
    let rows: Vec<_> = (0..4).map(row).collect();
    world.with_timetable(Timetable::of_rows(&rows).unwrap()).unwrap()
}

#[test]
fn trajectories_are_as_pinned() {
    let mut found = Vec::new();
    for graph in GRAPHS {
        for (preset, name) in [(Preset::Paper, "paper"), (Preset::Program, "program")] {
            let world = worlds::world(graph, "uniform:0.5", "uniform:0.5,3.5", preset, SEED);
            for spec in anywhere(preset) {
                found.push((graph, name, spec.name(), fingerprint(&world, &spec)));
            }
        }
        let world = worlds::world(graph, "uniform:0.5", "uniform:0.5,3.5", Preset::Paper, SEED);
        for text in RECOMMENDED.into_iter().chain([REFUSING]) {
            found.push((graph, "paper", text, fingerprint(&world, &text.parse().unwrap())));
        }
        let world = changing(graph);
        for text in FORGETFUL {
            found.push((graph, "changing", text, fingerprint(&world, &text.parse().unwrap())));
        }
    }
    let mut table = String::new();
    for (graph, preset, agent, hash) in &found {
        let digits = format!("{hash:016x}");
        let digits: Vec<&str> = (0..4).map(|i| &digits[4 * i..4 * i + 4]).collect();
        let hash = digits.join("_");
        writeln!(table, "    ({graph:?}, {preset:?}, {agent:?}, 0x{hash}),").unwrap();
    }
    let pinned = |row: &(&str, &str, &str, u64)| {
        GOLDEN.iter().any(|gold| (gold.0, gold.1, gold.2) == (row.0, row.1, row.2))
    };
    let new: Vec<&str> = found.iter().filter(|row| !pinned(row)).map(|row| row.2).collect();
    assert!(new.is_empty(), "agents {new:?} are not pinned yet; pin the whole table:\n{table}");
    assert!(
        found == GOLDEN,
        "trajectories changed; if that is intended, say so under \"Trajectory changes\" in \
         CHANGELOG.md and pin the new ones:\n{table}"
    );
}

#[test]
fn the_pinned_certificate_accepts_and_refuses() {
    for graph in GRAPHS {
        let world = worlds::world(graph, "uniform:0.5", "uniform:0.5,3.5", Preset::Paper, SEED);
        let of = |text: &str| fingerprint(&world, &text.parse().unwrap());
        // The same as the one if nothing was refused, as the other if everything was.
        assert_ne!(of(REFUSING), of("g-star"), "{graph}");
        assert_ne!(of(REFUSING), of("g-sweep:resolution=2"), "{graph}");
    }
}

#[rustfmt::skip]
const GOLDEN: &[(&str, &str, &str, u64)] = &[
    ("grid:4x4", "paper", "g-ucb", 0x4721_a644_48a3_42f4),
    ("grid:4x4", "paper", "direct-sp", 0x7f85_68e1_2d7b_0cdd),
    ("grid:4x4", "paper", "ucrl2", 0x4626_dddd_209f_7442),
    ("grid:4x4", "paper", "g-ucb-ucrl2-bound", 0x263c_b832_e0e9_241a),
    ("grid:4x4", "paper", "g-ucb-ucrl2-doubling", 0x4721_a644_48a3_42f4),
    ("grid:4x4", "paper", "local-ucb", 0xdc26_37fc_b91e_7d2c),
    ("grid:4x4", "paper", "local-ts", 0x1187_48ae_a408_aea1),
    ("grid:4x4", "paper", "ql-eps", 0x4cc6_d68e_4a68_489c),
    ("grid:4x4", "paper", "ql-ucb-h", 0x86b4_c10c_aa8f_11ef),
    ("grid:4x4", "paper", "g-star", 0x1e4a_1a63_ec6e_2cbc),
    ("grid:4x4", "paper", "g-ts", 0x9094_56ee_0ecb_18ef),
    ("grid:4x4", "paper", "g-moss", 0x0213_2a24_b76d_4f43),
    ("grid:4x4", "paper", "g-imed", 0x8a4c_da74_c132_5688),
    ("grid:4x4", "paper", "g-klucb", 0x8a4c_da74_c132_5688),
    ("grid:4x4", "paper", "g-safe", 0x1e4a_1a63_ec6e_2cbc),
    ("grid:4x4", "paper", "g-sweep", 0x8783_36b6_8879_fa00),
    ("grid:4x4", "paper", "g-horizon", 0xdb7c_f0b1_db2c_73eb),
    ("grid:4x4", "paper", "random", 0x3337_779e_496b_6c92),
    ("grid:4x4", "paper", "epsilon-greedy", 0xfe03_1062_db5a_fdd8),
    ("grid:4x4", "paper", "g-drift", 0x1e4a_1a63_ec6e_2cbc),
    ("grid:4x4", "paper", "klucb", 0x0377_21e4_897d_fd8e),
    ("grid:4x4", "paper", "glr-klucb", 0x31e8_ab34_4806_fd9b),
    ("grid:4x4", "paper", "sw-klucb", 0x5362_148b_fafd_2196),
    ("grid:4x4", "paper", "cusum-klucb", 0xd1a8_5948_8dec_92d7),
    ("grid:4x4", "paper", "m-klucb", 0xb78f_b245_94e5_722c),
    ("grid:4x4", "paper", "discounted-klucb", 0xe40a_628b_8f3d_674e),
    ("grid:4x4", "paper", "discounted-ts", 0xf3b4_a687_4aa1_7f18),
    ("grid:4x4", "paper", "discounted-ucb", 0xb7a7_793f_8465_1ff7),
    ("grid:4x4", "paper", "sw-ucb", 0xfb31_4324_68eb_8a0b),
    ("grid:4x4", "paper", "sw-ts", 0xcf10_ce26_4805_dc98),
    ("grid:4x4", "program", "g-ucb", 0xbbef_774c_686c_a847),
    ("grid:4x4", "program", "direct-sp", 0xd753_2f21_32e0_19f2),
    ("grid:4x4", "program", "ucrl2", 0x9d82_5daf_d0be_7ba3),
    ("grid:4x4", "program", "g-ucb-ucrl2-bound", 0x7949_445d_6253_81d9),
    ("grid:4x4", "program", "g-ucb-ucrl2-doubling", 0x04e3_86ac_0f0d_ebd9),
    ("grid:4x4", "program", "local-ucb", 0xdc26_37fc_b91e_7d2c),
    ("grid:4x4", "program", "local-ts", 0x98bd_4533_b28b_2a39),
    ("grid:4x4", "program", "ql-eps", 0xf9a7_bbe8_d706_a289),
    ("grid:4x4", "program", "ql-ucb-h", 0xa1d0_d84c_4ab2_9c72),
    ("grid:4x4", "program", "g-star", 0x1e4a_1a63_ec6e_2cbc),
    ("grid:4x4", "program", "g-ts", 0x9094_56ee_0ecb_18ef),
    ("grid:4x4", "program", "g-moss", 0x0213_2a24_b76d_4f43),
    ("grid:4x4", "program", "g-imed", 0x8a4c_da74_c132_5688),
    ("grid:4x4", "program", "g-klucb", 0x8a4c_da74_c132_5688),
    ("grid:4x4", "program", "g-safe", 0x1e4a_1a63_ec6e_2cbc),
    ("grid:4x4", "program", "g-sweep", 0x8783_36b6_8879_fa00),
    ("grid:4x4", "program", "g-horizon", 0xdb7c_f0b1_db2c_73eb),
    ("grid:4x4", "program", "random", 0x26ae_7ef4_40c6_bfb4),
    ("grid:4x4", "program", "epsilon-greedy", 0xfe03_1062_db5a_fdd8),
    ("grid:4x4", "program", "g-drift", 0x1e4a_1a63_ec6e_2cbc),
    ("grid:4x4", "program", "klucb", 0x0377_21e4_897d_fd8e),
    ("grid:4x4", "program", "glr-klucb", 0x31e8_ab34_4806_fd9b),
    ("grid:4x4", "program", "sw-klucb", 0x5362_148b_fafd_2196),
    ("grid:4x4", "program", "cusum-klucb", 0xd1a8_5948_8dec_92d7),
    ("grid:4x4", "program", "m-klucb", 0xb78f_b245_94e5_722c),
    ("grid:4x4", "program", "discounted-klucb", 0xe40a_628b_8f3d_674e),
    ("grid:4x4", "program", "discounted-ts", 0xf3b4_a687_4aa1_7f18),
    ("grid:4x4", "program", "discounted-ucb", 0xb7a7_793f_8465_1ff7),
    ("grid:4x4", "program", "sw-ucb", 0xfb31_4324_68eb_8a0b),
    ("grid:4x4", "program", "sw-ts", 0xcf10_ce26_4805_dc98),
    ("grid:4x4", "paper", "g-star:caution=1.2,doubt=3", 0x6e3f_2d9a_ab9e_8bd0),
    ("grid:4x4", "paper", "g-star:trust=0.9", 0x1e4a_1a63_ec6e_2cbc),
    ("grid:4x4", "paper", "g-star:caution=1.2,doubt=3,trust=0.9", 0x6e3f_2d9a_ab9e_8bd0),
    ("grid:4x4", "paper", "g-star:foresight=1", 0x1e4a_1a63_ec6e_2cbc),
    ("grid:4x4", "paper", "g-star:trust=0.9,foresight=1", 0x1e4a_1a63_ec6e_2cbc),
    ("grid:4x4", "paper", "g-horizon:horizon=320", 0x3e2f_487b_ee71_7dc8),
    ("grid:4x4", "paper", "g-safe:budget=2,resolution=2", 0x1099_7449_199f_f9a1),
    ("grid:4x4", "changing", "g-drift", 0x479a_84e7_bb02_1a03),
    ("grid:4x4", "changing", "g-drift:rate=0.001", 0x1c39_73dd_6407_deea),
    ("grid:4x4", "changing", "g-ucb:restarts=oracle", 0x7e10_e25c_5198_0c6c),
    ("grid:4x4", "changing", "g-ucb:restarts=periodic,period=90", 0x3ce2_a6ac_6eb6_9fea),
    ("grid:4x4", "changing", "restarting-klucb:rewards=gaussian", 0xcc19_e4ed_67ed_78d3),
    ("grid:4x4", "changing", "glr-klucb:rewards=gaussian", 0xfd69_8154_8e21_ca7f),
    ("grid:4x4", "changing", "cusum-klucb:rewards=gaussian", 0xaa43_c3d0_61a1_a203),
    ("grid:4x4", "changing", "m-klucb:rewards=gaussian", 0x442e_0fe5_6792_8465),
    ("grid:4x4", "changing", "sw-klucb:rewards=gaussian", 0x94c2_ffc6_c552_9150),
    ("grid:4x4", "changing", "discounted-klucb:rewards=gaussian", 0xd1c8_e3b0_be30_a5a9),
    ("grid:4x4", "changing", "discounted-ts:rewards=gaussian", 0xd5be_14fc_1331_e6dd),
    ("grid:4x4", "changing", "sw-ucb", 0x7347_5fa1_6873_309f),
    ("grid:4x4", "changing", "sw-ts:rewards=gaussian", 0x9d4c_be1a_d52f_d766),
    ("line:6", "paper", "g-ucb", 0x2339_c5cd_5868_534c),
    ("line:6", "paper", "direct-sp", 0x2339_c5cd_5868_534c),
    ("line:6", "paper", "ucrl2", 0xda22_7395_5ae6_c86d),
    ("line:6", "paper", "g-ucb-ucrl2-bound", 0xe63d_b720_ff0d_e0e2),
    ("line:6", "paper", "g-ucb-ucrl2-doubling", 0x2339_c5cd_5868_534c),
    ("line:6", "paper", "local-ucb", 0xb430_ce0e_2c61_70c3),
    ("line:6", "paper", "local-ts", 0xa883_a468_7902_356d),
    ("line:6", "paper", "ql-eps", 0x39f0_f29e_52fa_b464),
    ("line:6", "paper", "ql-ucb-h", 0x7f08_8b12_e1ac_68f9),
    ("line:6", "paper", "g-star", 0x090b_f620_f7a0_23d7),
    ("line:6", "paper", "g-ts", 0xb2e2_3eac_075f_ebcf),
    ("line:6", "paper", "g-moss", 0xd66a_b7ae_3e80_b58b),
    ("line:6", "paper", "g-imed", 0xd66a_b7ae_3e80_b58b),
    ("line:6", "paper", "g-klucb", 0xd66a_b7ae_3e80_b58b),
    ("line:6", "paper", "g-safe", 0x090b_f620_f7a0_23d7),
    ("line:6", "paper", "g-sweep", 0xbaef_060f_cc37_d556),
    ("line:6", "paper", "g-horizon", 0xc369_9b74_b820_0ef7),
    ("line:6", "paper", "random", 0xd87f_6ba4_d49f_e038),
    ("line:6", "paper", "epsilon-greedy", 0x17b3_8055_1d82_4ae6),
    ("line:6", "paper", "g-drift", 0x090b_f620_f7a0_23d7),
    ("line:6", "paper", "klucb", 0xd2e7_1f35_b6aa_1b0d),
    ("line:6", "paper", "glr-klucb", 0x97e7_8b55_851b_2b09),
    ("line:6", "paper", "sw-klucb", 0xc092_8a4e_b7e9_aaed),
    ("line:6", "paper", "cusum-klucb", 0xfb7f_0e64_4b22_3144),
    ("line:6", "paper", "m-klucb", 0xcd00_cebc_d584_0ee1),
    ("line:6", "paper", "discounted-klucb", 0xd2e7_1f35_b6aa_1b0d),
    ("line:6", "paper", "discounted-ts", 0xd2e7_1f35_b6aa_1b0d),
    ("line:6", "paper", "discounted-ucb", 0x11c0_3862_79f5_092d),
    ("line:6", "paper", "sw-ucb", 0xfd1e_8a14_e333_00df),
    ("line:6", "paper", "sw-ts", 0xd2e7_1f35_b6aa_1b0d),
    ("line:6", "program", "g-ucb", 0x9845_a596_72c6_46d4),
    ("line:6", "program", "direct-sp", 0x754b_ab48_f48d_7e8a),
    ("line:6", "program", "ucrl2", 0x8fb4_0d56_a808_2a3c),
    ("line:6", "program", "g-ucb-ucrl2-bound", 0xbd4e_2728_f728_d500),
    ("line:6", "program", "g-ucb-ucrl2-doubling", 0x25b5_aca3_87d1_7a8a),
    ("line:6", "program", "local-ucb", 0xb430_ce0e_2c61_70c3),
    ("line:6", "program", "local-ts", 0xa883_a468_7902_356d),
    ("line:6", "program", "ql-eps", 0x39f0_f29e_52fa_b464),
    ("line:6", "program", "ql-ucb-h", 0x7f08_8b12_e1ac_68f9),
    ("line:6", "program", "g-star", 0x090b_f620_f7a0_23d7),
    ("line:6", "program", "g-ts", 0xb2e2_3eac_075f_ebcf),
    ("line:6", "program", "g-moss", 0xd66a_b7ae_3e80_b58b),
    ("line:6", "program", "g-imed", 0xd66a_b7ae_3e80_b58b),
    ("line:6", "program", "g-klucb", 0xd66a_b7ae_3e80_b58b),
    ("line:6", "program", "g-safe", 0x090b_f620_f7a0_23d7),
    ("line:6", "program", "g-sweep", 0xbaef_060f_cc37_d556),
    ("line:6", "program", "g-horizon", 0xc369_9b74_b820_0ef7),
    ("line:6", "program", "random", 0xd87f_6ba4_d49f_e038),
    ("line:6", "program", "epsilon-greedy", 0x17b3_8055_1d82_4ae6),
    ("line:6", "program", "g-drift", 0x090b_f620_f7a0_23d7),
    ("line:6", "program", "klucb", 0xd2e7_1f35_b6aa_1b0d),
    ("line:6", "program", "glr-klucb", 0x97e7_8b55_851b_2b09),
    ("line:6", "program", "sw-klucb", 0xc092_8a4e_b7e9_aaed),
    ("line:6", "program", "cusum-klucb", 0xfb7f_0e64_4b22_3144),
    ("line:6", "program", "m-klucb", 0xcd00_cebc_d584_0ee1),
    ("line:6", "program", "discounted-klucb", 0xd2e7_1f35_b6aa_1b0d),
    ("line:6", "program", "discounted-ts", 0xd2e7_1f35_b6aa_1b0d),
    ("line:6", "program", "discounted-ucb", 0x11c0_3862_79f5_092d),
    ("line:6", "program", "sw-ucb", 0xfd1e_8a14_e333_00df),
    ("line:6", "program", "sw-ts", 0xd2e7_1f35_b6aa_1b0d),
    ("line:6", "paper", "g-star:caution=1.2,doubt=3", 0x14b8_fb38_7d93_50f7),
    ("line:6", "paper", "g-star:trust=0.9", 0x090b_f620_f7a0_23d7),
    ("line:6", "paper", "g-star:caution=1.2,doubt=3,trust=0.9", 0x14b8_fb38_7d93_50f7),
    ("line:6", "paper", "g-star:foresight=1", 0x9e5f_e39e_acce_072b),
    ("line:6", "paper", "g-star:trust=0.9,foresight=1", 0x9e5f_e39e_acce_072b),
    ("line:6", "paper", "g-horizon:horizon=320", 0xc369_9b74_b820_0ef7),
    ("line:6", "paper", "g-safe:budget=2,resolution=2", 0x0ae1_d61c_9777_a0f5),
    ("line:6", "changing", "g-drift", 0xe57a_7942_7045_22ae),
    ("line:6", "changing", "g-drift:rate=0.001", 0x5be9_144c_063c_2819),
    ("line:6", "changing", "g-ucb:restarts=oracle", 0x0027_bcfb_cc01_e78a),
    ("line:6", "changing", "g-ucb:restarts=periodic,period=90", 0x3606_54b6_4f79_f83d),
    ("line:6", "changing", "restarting-klucb:rewards=gaussian", 0xd619_06e8_45d3_2822),
    ("line:6", "changing", "glr-klucb:rewards=gaussian", 0x7fd1_bb1c_0ed6_4c28),
    ("line:6", "changing", "cusum-klucb:rewards=gaussian", 0x3038_0f67_9788_411c),
    ("line:6", "changing", "m-klucb:rewards=gaussian", 0xc065_37ac_fdb9_526b),
    ("line:6", "changing", "sw-klucb:rewards=gaussian", 0xf575_abf5_e616_2e92),
    ("line:6", "changing", "discounted-klucb:rewards=gaussian", 0x9c3c_4b47_0f7c_aacf),
    ("line:6", "changing", "discounted-ts:rewards=gaussian", 0x1e5f_4eb2_826c_f3b4),
    ("line:6", "changing", "sw-ucb", 0x6337_c623_998f_fff3),
    ("line:6", "changing", "sw-ts:rewards=gaussian", 0xca51_1de3_3212_7c1f),
    ("star:7", "paper", "g-ucb", 0x2c20_3a25_b80b_52d8),
    ("star:7", "paper", "direct-sp", 0x2c20_3a25_b80b_52d8),
    ("star:7", "paper", "ucrl2", 0x1ee8_ede5_99ea_c837),
    ("star:7", "paper", "g-ucb-ucrl2-bound", 0x45fe_deaf_ca59_373b),
    ("star:7", "paper", "g-ucb-ucrl2-doubling", 0x2c20_3a25_b80b_52d8),
    ("star:7", "paper", "local-ucb", 0x760a_d282_c10e_7e2c),
    ("star:7", "paper", "local-ts", 0x6727_5a85_6c62_c298),
    ("star:7", "paper", "ql-eps", 0x50bc_1847_693c_1feb),
    ("star:7", "paper", "ql-ucb-h", 0x5ee8_6be5_f16b_79f1),
    ("star:7", "paper", "g-star", 0x0191_ffdd_208c_8896),
    ("star:7", "paper", "g-ts", 0x2e26_5263_ad6b_962f),
    ("star:7", "paper", "g-moss", 0xa7ac_2fcf_21f3_8aa0),
    ("star:7", "paper", "g-imed", 0x324b_198a_fbca_5e20),
    ("star:7", "paper", "g-klucb", 0x324b_198a_fbca_5e20),
    ("star:7", "paper", "g-safe", 0x0191_ffdd_208c_8896),
    ("star:7", "paper", "g-sweep", 0x3a2e_54b4_19ee_6273),
    ("star:7", "paper", "g-horizon", 0xe5db_f6a3_b6f6_4bab),
    ("star:7", "paper", "random", 0x21df_f735_c6f1_322b),
    ("star:7", "paper", "epsilon-greedy", 0xe90c_3f40_76c0_6d62),
    ("star:7", "paper", "g-drift", 0x0191_ffdd_208c_8896),
    ("star:7", "paper", "klucb", 0x760a_d282_c10e_7e2c),
    ("star:7", "paper", "glr-klucb", 0xb968_0968_1afe_d860),
    ("star:7", "paper", "sw-klucb", 0xd400_dc38_5eb1_c5ac),
    ("star:7", "paper", "cusum-klucb", 0x459f_e62c_dd65_6502),
    ("star:7", "paper", "m-klucb", 0x4504_3661_3180_b75e),
    ("star:7", "paper", "discounted-klucb", 0x760a_d282_c10e_7e2c),
    ("star:7", "paper", "discounted-ts", 0x760a_d282_c10e_7e2c),
    ("star:7", "paper", "discounted-ucb", 0x430c_95dc_bd5d_a84d),
    ("star:7", "paper", "sw-ucb", 0x0492_df5f_cf87_c06d),
    ("star:7", "paper", "sw-ts", 0x760a_d282_c10e_7e2c),
    ("star:7", "program", "g-ucb", 0xdfb1_01bd_682b_562e),
    ("star:7", "program", "direct-sp", 0x8801_9188_62d0_66ec),
    ("star:7", "program", "ucrl2", 0x058c_0e33_c162_ca8f),
    ("star:7", "program", "g-ucb-ucrl2-bound", 0xf79e_9bb9_3f8e_cdf3),
    ("star:7", "program", "g-ucb-ucrl2-doubling", 0x8801_9188_62d0_66ec),
    ("star:7", "program", "local-ucb", 0x760a_d282_c10e_7e2c),
    ("star:7", "program", "local-ts", 0x6727_5a85_6c62_c298),
    ("star:7", "program", "ql-eps", 0x3a9c_a8e5_196e_c7f7),
    ("star:7", "program", "ql-ucb-h", 0x744e_a97b_e0b4_c09d),
    ("star:7", "program", "g-star", 0x0191_ffdd_208c_8896),
    ("star:7", "program", "g-ts", 0x2e26_5263_ad6b_962f),
    ("star:7", "program", "g-moss", 0xa7ac_2fcf_21f3_8aa0),
    ("star:7", "program", "g-imed", 0x324b_198a_fbca_5e20),
    ("star:7", "program", "g-klucb", 0x324b_198a_fbca_5e20),
    ("star:7", "program", "g-safe", 0x0191_ffdd_208c_8896),
    ("star:7", "program", "g-sweep", 0x3a2e_54b4_19ee_6273),
    ("star:7", "program", "g-horizon", 0xe5db_f6a3_b6f6_4bab),
    ("star:7", "program", "random", 0xb237_73aa_6309_3276),
    ("star:7", "program", "epsilon-greedy", 0xe90c_3f40_76c0_6d62),
    ("star:7", "program", "g-drift", 0x0191_ffdd_208c_8896),
    ("star:7", "program", "klucb", 0x760a_d282_c10e_7e2c),
    ("star:7", "program", "glr-klucb", 0xb968_0968_1afe_d860),
    ("star:7", "program", "sw-klucb", 0xd400_dc38_5eb1_c5ac),
    ("star:7", "program", "cusum-klucb", 0x459f_e62c_dd65_6502),
    ("star:7", "program", "m-klucb", 0x4504_3661_3180_b75e),
    ("star:7", "program", "discounted-klucb", 0x760a_d282_c10e_7e2c),
    ("star:7", "program", "discounted-ts", 0x760a_d282_c10e_7e2c),
    ("star:7", "program", "discounted-ucb", 0x430c_95dc_bd5d_a84d),
    ("star:7", "program", "sw-ucb", 0x0492_df5f_cf87_c06d),
    ("star:7", "program", "sw-ts", 0x760a_d282_c10e_7e2c),
    ("star:7", "paper", "g-star:caution=1.2,doubt=3", 0x0191_ffdd_208c_8896),
    ("star:7", "paper", "g-star:trust=0.9", 0x0191_ffdd_208c_8896),
    ("star:7", "paper", "g-star:caution=1.2,doubt=3,trust=0.9", 0x0191_ffdd_208c_8896),
    ("star:7", "paper", "g-star:foresight=1", 0xbdc2_e552_0ae9_2320),
    ("star:7", "paper", "g-star:trust=0.9,foresight=1", 0xbdc2_e552_0ae9_2320),
    ("star:7", "paper", "g-horizon:horizon=320", 0x15b4_9e5d_7396_c296),
    ("star:7", "paper", "g-safe:budget=2,resolution=2", 0xf3d6_8cc1_317f_057b),
    ("star:7", "changing", "g-drift", 0x7349_c74f_625d_4800),
    ("star:7", "changing", "g-drift:rate=0.001", 0x6cd5_2ddf_da86_8ffc),
    ("star:7", "changing", "g-ucb:restarts=oracle", 0x8a1d_cf7c_975b_8832),
    ("star:7", "changing", "g-ucb:restarts=periodic,period=90", 0xc541_adcf_dc0f_1366),
    ("star:7", "changing", "restarting-klucb:rewards=gaussian", 0xc33a_15d2_250d_8a63),
    ("star:7", "changing", "glr-klucb:rewards=gaussian", 0xa224_a4d8_a557_4cb4),
    ("star:7", "changing", "cusum-klucb:rewards=gaussian", 0x8b2c_592f_5565_513e),
    ("star:7", "changing", "m-klucb:rewards=gaussian", 0x592b_f55a_1680_7f62),
    ("star:7", "changing", "sw-klucb:rewards=gaussian", 0x4827_4105_685b_e7d0),
    ("star:7", "changing", "discounted-klucb:rewards=gaussian", 0x2acd_bed7_2e2b_ffa3),
    ("star:7", "changing", "discounted-ts:rewards=gaussian", 0x6bdb_7b84_c1cc_2e08),
    ("star:7", "changing", "sw-ucb", 0xb9eb_842a_de40_6322),
    ("star:7", "changing", "sw-ts:rewards=gaussian", 0x0289_f774_6fe7_6c22),
    ("complete:5", "paper", "g-ucb", 0xab37_2d3c_bce9_8bd2),
    ("complete:5", "paper", "direct-sp", 0xab37_2d3c_bce9_8bd2),
    ("complete:5", "paper", "ucrl2", 0x5660_c1a4_c007_3d6b),
    ("complete:5", "paper", "g-ucb-ucrl2-bound", 0x5660_c1a4_c007_3d6b),
    ("complete:5", "paper", "g-ucb-ucrl2-doubling", 0xab37_2d3c_bce9_8bd2),
    ("complete:5", "paper", "local-ucb", 0xdc7f_eae5_fff9_f38c),
    ("complete:5", "paper", "local-ts", 0x7ec6_8f9b_939f_4dc3),
    ("complete:5", "paper", "ql-eps", 0x1156_6229_c75d_61fc),
    ("complete:5", "paper", "ql-ucb-h", 0x70f4_a83f_589c_d4fb),
    ("complete:5", "paper", "g-star", 0x760a_d282_c10e_7e2c),
    ("complete:5", "paper", "g-ts", 0x760a_d282_c10e_7e2c),
    ("complete:5", "paper", "g-moss", 0x760a_d282_c10e_7e2c),
    ("complete:5", "paper", "g-imed", 0x79f6_c29d_a21c_55fb),
    ("complete:5", "paper", "g-klucb", 0x79f6_c29d_a21c_55fb),
    ("complete:5", "paper", "g-safe", 0x760a_d282_c10e_7e2c),
    ("complete:5", "paper", "g-sweep", 0xf481_f5ba_9bfd_561f),
    ("complete:5", "paper", "g-horizon", 0x760a_d282_c10e_7e2c),
    ("complete:5", "paper", "random", 0x4b1f_4cbb_8953_4059),
    ("complete:5", "paper", "epsilon-greedy", 0x095f_75d4_75f5_c08f),
    ("complete:5", "paper", "g-drift", 0x760a_d282_c10e_7e2c),
    ("complete:5", "paper", "klucb", 0x760a_d282_c10e_7e2c),
    ("complete:5", "paper", "glr-klucb", 0xc744_128d_8cc9_d04f),
    ("complete:5", "paper", "sw-klucb", 0xcc3d_a506_d49b_b8c4),
    ("complete:5", "paper", "cusum-klucb", 0xdd60_c6a7_3e5a_d5e6),
    ("complete:5", "paper", "m-klucb", 0x8f8d_90e7_0b94_71d9),
    ("complete:5", "paper", "discounted-klucb", 0x760a_d282_c10e_7e2c),
    ("complete:5", "paper", "discounted-ts", 0x760a_d282_c10e_7e2c),
    ("complete:5", "paper", "discounted-ucb", 0x31ff_e739_a122_cae9),
    ("complete:5", "paper", "sw-ucb", 0xa92b_4e42_0345_97d0),
    ("complete:5", "paper", "sw-ts", 0x760a_d282_c10e_7e2c),
    ("complete:5", "program", "g-ucb", 0x3dca_45d6_b0ce_d735),
    ("complete:5", "program", "direct-sp", 0xb09d_6782_f6a5_ea53),
    ("complete:5", "program", "ucrl2", 0xd4ca_fc25_a4d9_3790),
    ("complete:5", "program", "g-ucb-ucrl2-bound", 0x33f6_8dd0_f4bf_9cda),
    ("complete:5", "program", "g-ucb-ucrl2-doubling", 0xff62_4229_3d66_1613),
    ("complete:5", "program", "local-ucb", 0xdc7f_eae5_fff9_f38c),
    ("complete:5", "program", "local-ts", 0x7ec6_8f9b_939f_4dc3),
    ("complete:5", "program", "ql-eps", 0x1156_6229_c75d_61fc),
    ("complete:5", "program", "ql-ucb-h", 0x70f4_a83f_589c_d4fb),
    ("complete:5", "program", "g-star", 0x760a_d282_c10e_7e2c),
    ("complete:5", "program", "g-ts", 0x760a_d282_c10e_7e2c),
    ("complete:5", "program", "g-moss", 0x760a_d282_c10e_7e2c),
    ("complete:5", "program", "g-imed", 0x79f6_c29d_a21c_55fb),
    ("complete:5", "program", "g-klucb", 0x79f6_c29d_a21c_55fb),
    ("complete:5", "program", "g-safe", 0x760a_d282_c10e_7e2c),
    ("complete:5", "program", "g-sweep", 0xf481_f5ba_9bfd_561f),
    ("complete:5", "program", "g-horizon", 0x760a_d282_c10e_7e2c),
    ("complete:5", "program", "random", 0x4b1f_4cbb_8953_4059),
    ("complete:5", "program", "epsilon-greedy", 0x095f_75d4_75f5_c08f),
    ("complete:5", "program", "g-drift", 0x760a_d282_c10e_7e2c),
    ("complete:5", "program", "klucb", 0x760a_d282_c10e_7e2c),
    ("complete:5", "program", "glr-klucb", 0xc744_128d_8cc9_d04f),
    ("complete:5", "program", "sw-klucb", 0xcc3d_a506_d49b_b8c4),
    ("complete:5", "program", "cusum-klucb", 0xdd60_c6a7_3e5a_d5e6),
    ("complete:5", "program", "m-klucb", 0x8f8d_90e7_0b94_71d9),
    ("complete:5", "program", "discounted-klucb", 0x760a_d282_c10e_7e2c),
    ("complete:5", "program", "discounted-ts", 0x760a_d282_c10e_7e2c),
    ("complete:5", "program", "discounted-ucb", 0x31ff_e739_a122_cae9),
    ("complete:5", "program", "sw-ucb", 0xa92b_4e42_0345_97d0),
    ("complete:5", "program", "sw-ts", 0x760a_d282_c10e_7e2c),
    ("complete:5", "paper", "g-star:caution=1.2,doubt=3", 0x760a_d282_c10e_7e2c),
    ("complete:5", "paper", "g-star:trust=0.9", 0x760a_d282_c10e_7e2c),
    ("complete:5", "paper", "g-star:caution=1.2,doubt=3,trust=0.9", 0x760a_d282_c10e_7e2c),
    ("complete:5", "paper", "g-star:foresight=1", 0x760a_d282_c10e_7e2c),
    ("complete:5", "paper", "g-star:trust=0.9,foresight=1", 0x760a_d282_c10e_7e2c),
    ("complete:5", "paper", "g-horizon:horizon=320", 0x760a_d282_c10e_7e2c),
    ("complete:5", "paper", "g-safe:budget=2,resolution=2", 0x6950_0402_58d2_8cef),
    ("complete:5", "changing", "g-drift", 0x2109_ae12_289d_48d4),
    ("complete:5", "changing", "g-drift:rate=0.001", 0x260a_55e1_1c85_25e9),
    ("complete:5", "changing", "g-ucb:restarts=oracle", 0xd791_036b_bdb0_1241),
    ("complete:5", "changing", "g-ucb:restarts=periodic,period=90", 0xf735_9492_003e_5fb2),
    ("complete:5", "changing", "restarting-klucb:rewards=gaussian", 0x5922_0675_946b_2892),
    ("complete:5", "changing", "glr-klucb:rewards=gaussian", 0xb5d4_7fa9_d7bd_19f2),
    ("complete:5", "changing", "cusum-klucb:rewards=gaussian", 0x9d4d_efe6_81b6_52ad),
    ("complete:5", "changing", "m-klucb:rewards=gaussian", 0x27e8_740e_c40b_a08e),
    ("complete:5", "changing", "sw-klucb:rewards=gaussian", 0xd2a4_2a19_63d2_c744),
    ("complete:5", "changing", "discounted-klucb:rewards=gaussian", 0xebc0_0b1b_f227_7825),
    ("complete:5", "changing", "discounted-ts:rewards=gaussian", 0x8ce5_0719_7240_325f),
    ("complete:5", "changing", "sw-ucb", 0xd644_ce82_9cb7_5896),
    ("complete:5", "changing", "sw-ts:rewards=gaussian", 0xcf19_89d1_9895_1cf2),
];
