//! Maps from files, and maps of agents.

use super::{Answer, Client, check};
use axum::body::Body;
use axum::http::header;
use graph_bandit_server::agent::GraphLimits;
use graph_bandit_server::fleet::{Fleet, FleetLimits};
use graph_bandit_server::http::{Authentication, HttpLimits, Service, openapi, router};
use graph_bandit_server::metrics::Metrics;
use graph_bandit_server::store::MemoryStore;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

const GRAPHML: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="x" for="node" attr.name="x" attr.type="double"/>
  <key id="y" for="node" attr.name="y" attr.type="double"/>
  <graph edgedefault="undirected">
    <node id="hall"><data key="x">0</data><data key="y">0</data></node>
    <node id="yard"><data key="x">1</data><data key="y">0</data></node>
    <node id="roof"><data key="x">1.5</data><data key="y">2</data></node>
    <edge source="hall" target="yard"/>
    <edge source="yard" target="roof"/>
  </graph>
</graphml>"#;

const GEOJSON: &str = r#"{"type": "FeatureCollection", "features": [
  {"type": "Feature", "geometry": {"type": "Point", "coordinates": [0, 0]}, "properties": {"id": "hall"}},
  {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 0]}, "properties": {"id": "yard"}},
  {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1.5, 2]}, "properties": {"id": "roof"}},
  {"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[0, 0], [1, 0]]}, "properties": {}},
  {"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[1, 0], [1.5, 2]]}, "properties": {}}
]}"#;

const CSV: &str = "source,target\nhall,yard\nyard,roof\n";

fn fixture(name: &str) -> Vec<u8> {
    let fixtures =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../graph-bandit-maps/tests/fixtures");
    std::fs::read(fixtures.join(name)).unwrap()
}

async fn upload(client: &Client, query: &str, file: impl Into<Body>) -> Answer {
    client.raw(&format!("/v1/maps?{query}"), "application/octet-stream", file).await
}

fn detail(answer: &Answer) -> &str {
    answer.body["detail"].as_str().unwrap()
}

/// An agent on the graph has the same map.
async fn round_trip(client: &Client, graph: &Value) {
    let request = json!({"id": "trip", "graph": graph});
    assert_eq!(client.post("/v1/agents", request).await.status, 201, "{graph}");
    let map = client.get("/v1/agents/trip/map").await;
    assert_eq!((map.kind.as_str(), &map.body), ("application/json", graph));
    let delete = client.request("DELETE", "/v1/agents/trip").body(Body::empty()).unwrap();
    assert_eq!(client.send(delete).await.status, 204);
}

#[tokio::test]
async fn one_map_reads_the_same_in_every_format() {
    let client = Client::fresh();
    let document = openapi();
    let bare = json!({
        "nodes": 3, "edges": [[0, 1], [1, 2]], "names": ["hall", "yard", "roof"],
    });
    let mut placed = bare.clone();
    placed["coordinates"] = json!([[0.0, 0.0], [1.0, 0.0], [1.5, 2.0]]);
    for (query, file, format, graph) in [
        ("", GRAPHML, "graphml", &placed),
        ("name=rooms.graphml", GRAPHML, "graphml", &placed),
        ("name=rooms.xml&format=graphml", GRAPHML, "graphml", &placed),
        ("", GEOJSON, "geojson", &placed),
        ("format=nav2", GEOJSON, "nav2", &placed),
        ("ways=drive&largest_component=false", GEOJSON, "geojson", &placed),
        ("name=a%2Fb.csv&largest_component=true", CSV, "edge-list", &bare),
        ("name=%3Cb%3E", CSV, "edge-list", &bare),
    ] {
        let answer = upload(&client, query, file).await;
        assert_eq!(answer.status, 200, "{query}: {}", answer.body);
        check(&document, "ReadMap", &answer.body);
        assert_eq!((&answer.body["format"], &answer.body["graph"]), (&json!(format), graph));
        round_trip(&client, graph).await;
    }
}

#[tokio::test]
async fn files_of_other_programs_become_agents() {
    let client = Client::fresh();
    for (file, format) in [
        ("networkx.graphml", "graphml"),
        ("networkx-multi.graphml", "graphml"),
        ("gephi.graphml", "graphml"),
        ("osmnx.graphml", "graphml"),
        ("osmnx-projected.graphml", "graphml"),
        ("lines.geojson", "geojson"),
        ("nav2.geojson", "geojson"),
        ("networkx.edgelist", "edge-list"),
        ("networkx-weighted.edgelist", "edge-list"),
        ("networkx-plain.csv", "edge-list"),
        ("networkx-floats.csv", "edge-list"),
        ("osmium.osm.pbf", "osm"),
    ] {
        let query = format!("largest_component=true&name={file}");
        let answer = upload(&client, &query, fixture(file)).await;
        assert_eq!(answer.status, 200, "{file}: {}", answer.body);
        assert_eq!(answer.body["format"], format, "{file}");
        round_trip(&client, &answer.body["graph"]).await;
    }
    let walked = upload(&client, "largest_component=true", fixture("osmium.osm.pbf")).await;
    let driven = upload(&client, "largest_component=true&ways=drive", fixture("osmium.osm.pbf"));
    assert_ne!(walked.body["graph"], driven.await.body["graph"]);
}

#[tokio::test]
async fn a_disconnected_map_is_refused_or_reduced_to_its_largest_part() {
    let client = Client::fresh();
    let file = "source,target\na,b\nx,y\ny,z\n";
    let refused = upload(&client, "", file).await;
    assert_eq!(refused.status, 422);
    assert_eq!(refused.body["type"], "urn:graph-bandit:map");
    for said in ["2 parts", "3 nodes with \"x\"", "the largest part (largest_component=true)"] {
        assert!(detail(&refused).contains(said), "{}", refused.body);
    }
    let taken = upload(&client, "largest_component=true", file).await;
    assert_eq!(taken.body["graph"]["names"], json!(["x", "y", "z"]));
    assert_eq!(taken.body["notes"], json!(["1 smaller part with 2 nodes left out"]));
}

#[tokio::test]
async fn a_file_that_is_not_a_map_is_refused() {
    let client = Client::fresh();
    let garbage: Vec<u8> = (0..5_000_u32).map(|i| ((i * i * 31) >> 3) as u8).collect();
    for format in ["graphml", "geojson", "nav2", "edge-list", "osm"] {
        for file in [&garbage[..], b"", b"\0", b"<graphml", b"{", b"graph{", b"\xff\xfe\n"] {
            let answer = upload(&client, &format!("format={format}"), file.to_vec()).await;
            assert_eq!(answer.status, 422, "{format}: {}", answer.body);
        }
    }
    assert_eq!(upload(&client, "", garbage).await.status, 422);
    let line = upload(&client, "name=x.csv", "source,target\na,b\nc\n").await;
    assert!(detail(&line).starts_with("line 3: "), "{}", line.body);
    // As `curl -d @FILE` sends a file.
    let one_line = upload(&client, "", "source,target,timea,b,1b,c,2").await;
    let said = "there are no edges; write one per line as source,target. The body is a single line; if curl sends a \
                file, use --data-binary @FILE, because -d removes the ends of lines";
    assert_eq!((one_line.status, detail(&one_line)), (422, said));
    for whole in ["source,target,time\n", "", " "] {
        let answer = upload(&client, "", whole).await;
        assert!(!detail(&answer).contains("--data-binary"), "{whole:?}: {}", answer.body);
    }
    for query in ["format=shp", "format=", "ways=swim", "largest_component=yes", "colour=red"] {
        let answer = upload(&client, query, CSV).await;
        assert_eq!(answer.status, 400, "{query}: {}", answer.body);
    }
    let get = client.get("/v1/maps").await;
    assert_eq!((get.status, &get.headers[header::ALLOW]), (405, &"POST".parse().unwrap()));
}

#[tokio::test]
async fn a_map_that_is_too_large_is_refused() {
    let limits = HttpLimits { body: 1_000, ..HttpLimits::default() };
    let graph = GraphLimits { nodes: 6, edges: 7 };
    let metrics = Arc::new(Metrics::default());
    let fleet = FleetLimits { graph, ..FleetLimits::default() };
    let fleet = Fleet::new(Arc::new(MemoryStore::default()), fleet, Arc::clone(&metrics));
    let app = router(&Service::new(fleet, metrics, Authentication::Local, limits));
    let client = Client { app, token: None };
    assert_eq!(upload(&client, "", CSV).await.status, 200);
    let long = upload(&client, "", vec![b'\n'; 1_001]).await;
    assert_eq!((long.status, detail(&long)), (413, "a body may have at most 1000 bytes"));
    // A body of unknown length.
    let pieces =
        futures_util::stream::iter((0..100).map(|_| Ok::<_, std::io::Error>("a,b\n".repeat(9))));
    let streamed = upload(&client, "", Body::from_stream(pieces)).await;
    assert_eq!(streamed.status, 413);
    let nodes = upload(&client, "", "a b\nb c\nc d\nd e\ne f\nf g\n").await;
    assert_eq!(nodes.status, 422);
    assert!(
        detail(&nodes).contains("7 nodes and 6 edges, and the limits are 6 nodes"),
        "{}",
        nodes.body
    );
    let edges = upload(&client, "", "a b\na c\na d\na e\nb c\nb d\nc d\nc e\n").await;
    assert!(
        detail(&edges).contains("8 edges, and the limits are 6 nodes and 7 edges"),
        "{}",
        edges.body
    );
    let chain = "0 1\n1 2\n2 3\n3 4\n4 5\n5 6\n6 7\n7 8\n8 9\n9 10\n";
    let elements = upload(&client, "", chain).await;
    assert!(detail(&elements).contains("more than 20 nodes and edges"), "{}", elements.body);
}

/// Positions are separate from the graph, answered only on request, and always the same.
#[tokio::test]
async fn positions_are_answered_on_request() {
    let client = Client::fresh();
    let document = openapi();
    let read = upload(&client, "positions=true", CSV).await.body;
    check(&document, "ReadMap", &read);
    let line = json!([[-0.5, 0.0], [0.0, 0.0], [0.5, 0.0]]);
    assert_eq!(read["positions"], line);
    assert!(upload(&client, "", CSV).await.body.get("positions").is_none());
    client.done("/v1/agents", json!({"id": "line", "graph": read["graph"]})).await;
    assert_eq!(client.get("/v1/agents/line/map").await.body, read["graph"]);
    // Without coordinates, and too large to be laid out on the spot.
    let edges: Vec<[usize; 2]> = (0..200).map(|node| [node, (node + 1) % 200]).collect();
    let ring = json!({"nodes": 200, "edges": edges});
    for (id, graph) in [("field", json!("grid:3x5")), ("ring", ring)] {
        client.done("/v1/agents", json!({"id": id, "graph": graph})).await;
    }
    for id in ["line", "field", "ring"] {
        let path = format!("/v1/agents/{id}/map?positions=true");
        let (one, other) = tokio::join!(client.get(&path), client.get(&path));
        check(&document, "Map", &one.body);
        assert_eq!(one.body["positions"].as_array().unwrap().len(), one.body["nodes"]);
        assert_eq!(one.body, other.body);
        assert_eq!(client.get(&path).await.body, one.body, "{id}");
        if id == "ring" {
            client.done("/v1/agents/ring/blocked", json!({"sequence": 0, "edge": [0, 1]})).await;
            assert_eq!(client.get(&path).await.body, one.body);
        }
    }
    assert_eq!(client.get("/v1/agents/line/map?positions=true").await.body["positions"], line);
    let field = client.get("/v1/agents/field/map?positions=true").await.body;
    assert_eq!(field["positions"][0], json!([-0.5, -0.25]));
    assert_eq!(client.get("/v1/agents/none/map?positions=true").await.status, 404);
    assert_eq!(client.get("/v1/agents/line/map?positions=maybe").await.status, 400);
}

#[tokio::test]
async fn blocked_edges_stay_on_the_map() {
    let client = Client::fresh();
    client.done("/v1/agents", json!({"id": "a", "graph": "circle:4", "agent": "g-ucb"})).await;
    let map = client.get("/v1/agents/a/map").await.body;
    assert_eq!(map["edges"], json!([[0, 1], [0, 3], [1, 2], [2, 3]]));
    assert!(map.get("names").is_none(), "{map}");
    client.done("/v1/agents/a/blocked", json!({"sequence": 0, "edge": [3, 0]})).await;
    assert_eq!(client.get("/v1/agents/a/map").await.body, map);
}

/// The page has no data, and may only talk to its own service.
#[tokio::test]
async fn the_page_is_public_and_talks_only_to_its_service() {
    let client = Client::fresh();
    let page = client.get("/").await;
    assert_eq!((page.status, page.kind.as_str()), (200, "text/html; charset=utf-8"));
    assert!(page.body.as_str().unwrap().starts_with("<!doctype html>"));
    let policy = page.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    let expected = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                    img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    assert_eq!(policy, expected);
    assert_eq!(page.headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
    assert_eq!(page.headers[header::CACHE_CONTROL], "no-cache");
    assert!(page.headers.get(header::ACCESS_CONTROL_ALLOW_ORIGIN).is_none());
    for path in
        ["/dashboard/", "/dashboard/nothing.js", "/dashboard/..%2FCargo.toml", "/index.html"]
    {
        assert_eq!(client.get(path).await.status, 404, "{path}");
    }
    assert_eq!(client.get("/dashboard/%ff").await.status, 400);
}
