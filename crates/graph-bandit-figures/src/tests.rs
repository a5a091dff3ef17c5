//! Whole figures: well-formed, the same bytes, safe with any name and any number.

use super::*;
use graph_bandit::Graph;

fn curves(points: Vec<[f64; 2]>) -> Curves {
    let band = points.iter().map(|p| [p[1] - 1.0, p[1] + 1.0]).collect();
    let deviations = vec![2.0; points.len()];
    let series = Series::new("g-ucb", palette::style_of("g-ucb"), points.clone())
        .with_band(band)
        .with_deviations(&deviations, 3)
        .with_traces(vec![points.clone(), points.clone()]);
    let other =
        Series::new("ucrl2", palette::style_of("ucrl2"), points).with_mark(Mark::LinePoints);
    Curves { x: Axis::linear("t"), y: Axis::linear("regret"), series: vec![series, other] }
}

fn small() -> Figure {
    let points = vec![[0.0, 0.0], [50.0, 20.0], [100.0, 25.0]];
    let groups = vec!["line".to_owned(), "fully connected".to_owned()];
    let five = FiveNumbers::of([1.0, 2.0, 4.0, 9.0, 20.0]);
    let color = palette::color_of("ucrl2");
    let boxes = Boxes {
        y: Axis::log("seconds"),
        groups: groups.clone(),
        series: vec![BoxSeries { name: "ucrl2".to_owned(), color, boxes: vec![five, None] }],
    };
    let ratios = BarSeries {
        name: "ratio".to_owned(),
        color,
        values: vec![1.7, 11.9],
        errors: vec![[1.0, 2.0]],
    };
    let bars =
        Bars { y: Axis::linear("ratio"), groups, series: vec![ratios], reference: Some(1.0) };
    let network = Network::of(&Graph::arkansas().unwrap())
        .with_values("mean", (0..10).map(f64::from).collect());
    let panels = vec![
        Panel::new("Curves", Body::Curves(curves(points))),
        Panel::new("Boxes", Body::Boxes(boxes)),
        Panel::new("Bars", Body::Bars(bars)),
        Panel::new("Network", Body::Network(network)),
    ];
    Figure::new("small", "One of each", panels).with_caption("A caption.").with_legend()
}

fn fnv(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn the_same_figure_has_the_same_bytes() {
    let svg = draw_svg(&small(), Theme::Light);
    assert_eq!(svg, draw_svg(&small(), Theme::Light));
    // If this number changes, every figure's bytes change: intended, or a platform differs.
    assert_eq!(format!("{:016x}", fnv(&svg)), "65c6e458db0e7ec1");
}

#[test]
fn a_figure_survives_a_round_trip() {
    let text = serde_json::to_string(&small()).unwrap();
    assert_eq!(serde_json::from_str::<Figure>(&text).unwrap(), small());
}

#[test]
fn drawings_are_well_formed_and_make_no_requests() {
    for theme in [Theme::Light, Theme::Adaptive] {
        let svg = draw_svg(&small(), theme);
        png::parse(&svg).unwrap();
        assert!(
            svg.contains("role=\"img\"") && svg.contains("<desc id=\"gb-small-desc\">A caption.")
        );
        let addresses = svg.matches("http").count();
        assert_eq!(addresses, svg.matches("http://www.w3.org/2000/svg").count());
    }
    assert!(!draw_svg(&small(), Theme::Light).contains("var("));
    assert!(draw_svg(&small(), Theme::Adaptive).contains("var(--gb-c0,#0072b2)"));
    assert!(!HOVER_SCRIPT.contains("innerHTML") && !HOVER_SCRIPT.contains("fetch("));
}

#[test]
fn names_are_never_markup() {
    let evil = "</style></svg><script>alert('x')</script>\"&\u{0}";
    let mut figure = small();
    figure.id = evil.to_owned();
    figure.title = evil.to_owned();
    figure.caption = evil.to_owned();
    for panel in &mut figure.panels {
        panel.title = evil.to_owned();
        match &mut panel.body {
            Body::Curves(curves) => {
                curves.x.label = evil.to_owned();
                curves.y.label = evil.to_owned();
                curves.series[0].name = evil.to_owned();
            }
            Body::Boxes(boxes) => boxes.groups[0] = evil.to_owned(),
            Body::Bars(bars) => bars.series[0].name = evil.to_owned(),
            Body::Network(network) => network.labels[0] = evil.to_owned(),
        }
    }
    for figure in [figure.clone(), figure.with_legend()] {
        for svg in [draw_svg(&figure, Theme::Light), draw_svg(&figure, Theme::Adaptive)] {
            png::parse(&svg).unwrap();
            assert!(!svg.contains("<script") && !svg.contains('\u{0}'));
            assert_eq!(svg.matches("</svg>").count(), 1);
        }
        assert!(!draw_html(&figure).contains("<script"));
    }
}

#[test]
fn no_data_can_break_a_drawing() {
    let cases: [Vec<[f64; 2]>; 9] = [
        vec![],
        vec![[5.0, 3.0]],
        vec![[1.0, 7.0], [2.0, 7.0], [3.0, 7.0]],
        vec![[1.0, f64::NAN], [2.0, 1.0], [f64::NAN, 2.0], [4.0, f64::INFINITY]],
        vec![[1e300, -1e300], [f64::MAX, f64::MAX]],
        vec![[5e-324, 1e-300], [1e-310, 2e-300]],
        vec![[0.0, 0.0], [0.0, 0.0]],
        vec![[-1.0, -5.0], [1.0, -7.0]],
        vec![[1e-9, 1e-9], [1e9, 1e9]],
    ];
    for points in cases {
        for kind in [ScaleKind::Linear, ScaleKind::Log] {
            let mut drawn = curves(points.clone());
            drawn.x.scale = kind;
            drawn.y.scale = kind;
            let y = drawn.y.clone();
            let values: Vec<f64> = points.iter().map(|p| p[1]).collect();
            let groups: Vec<String> = (0..values.len()).map(|i| format!("group {i}")).collect();
            let color = Color::Slot(3);
            let five = FiveNumbers::of(values.iter().copied());
            let boxes = BoxSeries { name: "b".to_owned(), color, boxes: vec![five; groups.len()] };
            let bars = BarSeries {
                name: "v".to_owned(),
                color,
                values: values.clone(),
                errors: points.clone(),
            };
            let network = Network {
                places: points.clone(),
                edges: vec![[0, 1], [0, 99]],
                labels: groups.clone(),
                values,
                value_label: "v".to_owned(),
                vertical: Vertical::Up,
            };
            let panels = vec![
                Panel::new("", Body::Curves(drawn)),
                Panel::new(
                    "",
                    Body::Boxes(Boxes {
                        y: y.clone(),
                        groups: groups.clone(),
                        series: vec![boxes],
                    }),
                ),
                Panel::new("", Body::Bars(Bars { y, groups, series: vec![bars], reference: None })),
                Panel::new("", Body::Network(network)),
            ];
            for figure in
                [Figure::new("f", "", panels.clone()), Figure::new("f", "t", panels).with_legend()]
            {
                let svg = draw_svg(&figure, Theme::Light);
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{points:?}");
                render_png(&svg, 300).unwrap();
            }
        }
    }
    for figure in [Figure::new("", "", Vec::new()), Figure::new("", "", Vec::new()).with_columns(0)]
    {
        png::parse(&draw_svg(&figure, Theme::Light)).unwrap();
    }
}

#[test]
fn images_have_the_requested_width_and_show_something() {
    let png = render_png(&draw_svg(&small(), Theme::Light), 900).unwrap();
    let pixels = resvg::tiny_skia::Pixmap::decode_png(&png).unwrap();
    assert_eq!(pixels.width(), 900);
    let count = |wanted: [u8; 3]| {
        pixels.pixels().iter().filter(|p| [p.red(), p.green(), p.blue()] == wanted).count()
    };
    let all = pixels.pixels().len();
    // Light paper, some blue of the first curve, and letters.
    assert!(count([255; 3]) > all / 2 && count([255; 3]) < all);
    assert!(count([0x00, 0x72, 0xb2]) > 50);
    assert!(count([0x5c, 0x63, 0x6b]) > 50);
    assert!(matches!(render_png("<svg", 100), Err(PngError::Svg(_))));
    let svg = draw_svg(&small(), Theme::Light);
    assert!(matches!(render_png(&svg, 0), Err(PngError::Size { .. })));
    assert!(matches!(render_png(&svg, 1_000_000), Err(PngError::Size { .. })));
}

#[test]
fn texts_are_drawn_with_the_embedded_font() {
    let blank = |text: &str| {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 20\"><text y=\"15\" font-size=\"12\">{text}</text></svg>"
        );
        let png = render_png(&svg, 100).unwrap();
        resvg::tiny_skia::Pixmap::decode_png(&png).unwrap().pixels().iter().all(|p| p.alpha() == 0)
    };
    assert!(blank(" "));
    for sign in "Δμεγα−×⁰¹²³⁹⁻…–→≤|é".chars() {
        assert!(!blank(&sign.to_string()), "{sign}");
    }
}

#[test]
fn legends_name_every_color_once() {
    let figure = small();
    let names: Vec<&str> = figure.legend.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["g-ucb", "ucrl2", "ratio"]);
    assert_eq!(figure.clone().with_legend(), figure);
}

/// At 60 degrees north a degree of longitude is half as wide as a degree of latitude.
#[test]
fn maps_are_drawn_north_up_with_their_true_width() {
    let road = Graph::from_edges(2, [(0, 1)]).unwrap();
    let road = road.with_coordinates(vec![[10.0, 59.0], [12.0, 61.0]]).unwrap();
    let network = Network::on_ground(&road, Ground::Degrees);
    assert_eq!(network.vertical, Vertical::Up);
    let [[left, bottom], [right, top]] = network.places[..] else { panic!("{network:?}") };
    assert!((right - left - 1.0).abs() < 1e-9, "{network:?}");
    assert_eq!(top - bottom, 2.0);
    assert_eq!(Network::on_ground(&road, Ground::Plane).places, road.coordinates().unwrap());
}
