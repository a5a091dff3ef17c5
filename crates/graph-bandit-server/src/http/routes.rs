//! The table of all routes. Router, guard and description are made from it.

use super::describe::{Link, Number, Refusal};
use super::route::{Access, Route, delete, get, post};
use super::{
    Scope, best, dashboard, estimates, events, handlers, history, maps, read_maps, reports,
    rewards, simulations, teams,
};

const OPEN: Access = Access::Open;
const READ: Access = Access::Scoped(Scope::Read);
const DECIDE: Access = Access::Scoped(Scope::Decide);
const ADMIN: Access = Access::Scoped(Scope::Admin);

pub(super) fn routes() -> Vec<Route> {
    of_the_service()
        .into_iter()
        .chain(of_agents())
        .chain(of_teams())
        .chain(of_simulations())
        .collect()
}

fn of_the_service() -> Vec<Route> {
    vec![
        get("/", OPEN, dashboard::page).called("page", "Return the dashboard page."),
        get("/dashboard/{file}", OPEN, dashboard::file)
            .called("pageFile", "Return a file of the dashboard page.")
            .refused(&[Refusal::NoSuchFile]),
        get("/healthz", OPEN, handlers::health)
            .called("health", "Check whether the process answers."),
        get("/readyz", OPEN, handlers::ready)
            .called("ready", "Check whether the service can store reports now."),
        get("/openapi.json", OPEN, handlers::openapi)
            .called("openapi", "Return the OpenAPI document of the service."),
        get("/metrics", READ, handlers::metrics)
            .called("metrics", "Return metrics for Prometheus."),
        get("/v1/registry", READ, handlers::registry).called(
            "registry",
            "Return the registry: agents, graph families, means, noises and shares, with their \
             parameters.",
        ),
    ]
}

fn of_agents() -> Vec<Route> {
    vec![
        get("/v1/agents", READ, handlers::list)
            .called("listAgents", "List all agents, page by page."),
        post("/v1/agents", ADMIN, handlers::create)
            .called(
                "createAgent",
                "Create an agent. If you repeat the request with the same name, nothing changes.",
            )
            .refused(&[Refusal::Conflict])
            .followed_by(&[&SHOW, &ASK]),
        post("/v1/maps", ADMIN, read_maps::read)
            .called(
                "readMap",
                "Convert a map file to a graph. You can create an agent with this graph. The \
                 service stores nothing.",
            )
            .refused(&[Refusal::NoMap]),
        post("/v1/import", ADMIN, handlers::import)
            .called("importAgent", "Create an agent that continues an exported agent.")
            .refused(&[Refusal::Conflict])
            .followed_by(&[&SHOW, &ASK]),
        get("/v1/agents/{id}", READ, handlers::show)
            .called("showAgent", "Return an agent and its current state."),
        delete("/v1/agents/{id}", ADMIN, handlers::delete)
            .called("deleteAgent", "Delete an agent and its history."),
        post("/v1/agents/{id}/ask", DECIDE, reports::ask)
            .called(
                "ask",
                "Return the current order; in a team, the order of one walker. It stays the same until \
                 the next report.",
            )
            .refused(&[Refusal::Unprocessable])
            .followed_by(&[&TELL, &FAILED, &BLOCKED]),
        post("/v1/agents/{id}/tell", DECIDE, reports::tell)
            .called("tell", "Report rewards.")
            .refused(&[Refusal::Conflict])
            .followed_by(&[&ASK_AGAIN]),
        post("/v1/agents/{id}/failed", DECIDE, reports::failed)
            .called(
                "legFailed",
                "Report that the robot could not finish the leg. The agent plans again.",
            )
            .refused(&[Refusal::Conflict])
            .followed_by(&[&ASK_AGAIN]),
        post("/v1/agents/{id}/blocked", DECIDE, reports::blocked)
            .called(
                "edgeBlocked",
                "Report a blocked edge. The agent plans around it, and sets aside nodes that are \
                 cut off.",
            )
            .refused(&[Refusal::Conflict])
            .followed_by(&[&ASK_AGAIN, &OPENED]),
        post("/v1/agents/{id}/opened", DECIDE, reports::opened)
            .called("edgeOpened", "Report that a blocked edge is open again.")
            .refused(&[Refusal::Conflict])
            .followed_by(&[&ASK_AGAIN]),
        post("/v1/agents/{id}/observe", DECIDE, reports::observe)
            .called(
                "observe",
                "Report rewards that somebody else observed. The robot's place and its order stay \
                 the same.",
            )
            .refused(&[Refusal::Conflict])
            .followed_by(&[&ASK_AGAIN]),
        post("/v1/agents/{id}/moved", DECIDE, reports::moved)
            .called(
                "moved",
                "Report a new place, because somebody moved the robot or another robot took over. \
                 The agent plans again.",
            )
            .refused(&[Refusal::Conflict])
            .followed_by(&[&ASK_AGAIN]),
        get("/v1/agents/{id}/best", READ, best::best)
            .called("best", "Return the best node so far, and how certain it is."),
        get("/v1/agents/{id}/estimates", READ, estimates::estimates)
            .called("estimates", "Return what the agent knows about each node, page by page."),
        get("/v1/agents/{id}/events", READ, events::events).called(
            "events",
            "Watch an agent. The stream has an event at once, and another one after every change, \
             but at most ten per second. It ends when the agent is deleted, when the service \
             stops, or when the service reads its tokens again.",
        ),
        get("/v1/agents/{id}/history", READ, history::history)
            .called("history", "Return the history of the agent, page by page."),
        get("/v1/agents/{id}/map", READ, maps::map).called(
            "agentMap",
            "Return the agent's graph, including blocked edges. You can create another agent with \
             this graph, unless you ask for `blocked`, `learned` or `positions`.",
        ),
        get("/v1/agents/{id}/rewards", READ, rewards::rewards)
            .called("rewards", "Return the sum of rewards over time."),
        get("/v1/agents/{id}/snapshot", READ, handlers::snapshot)
            .called("exportAgent", "Export the agent as a file for `/v1/import`."),
    ]
}

fn of_teams() -> Vec<Route> {
    vec![
        get("/v1/agents/{id}/walkers", READ, teams::walkers)
            .called(
                "walkers",
                "List the walkers of a team: where each one is, its order, and the number of its \
                 next report.",
            )
            .refused(&[Refusal::Unprocessable]),
        post("/v1/agents/{id}/joined", DECIDE, teams::joined)
            .called(
                "joined",
                "Add a walker to a team. If you repeat the request with the same name, nothing \
                 changes.",
            )
            .refused(&[Refusal::Conflict]),
        post("/v1/agents/{id}/left", DECIDE, teams::left)
            .called(
                "left",
                "Take a walker out of its team. What it reported stays. If you repeat the request, \
                 nothing changes.",
            )
            .refused(&[Refusal::Conflict]),
    ]
}

fn of_simulations() -> Vec<Route> {
    vec![
        get("/v1/simulations", READ, simulations::list)
            .called("simulations", "List the agents that this process simulates."),
        post("/v1/agents/{id}/simulation", DECIDE, simulations::start)
            .called(
                "simulate",
                "Simulate an agent. A robot named `simulation` reports visits with made-up \
                 rewards, several per second. It stops when you stop it, when the agent is \
                 deleted, after ten thousand visits (in a team, of each walker), after 20 failed \
                 reports in a row, or when the process ends.",
            )
            .refused(&[Refusal::Conflict]),
        delete("/v1/agents/{id}/simulation", DECIDE, simulations::stop)
            .called("stopSimulation", "Stop simulating an agent, if this process simulates it."),
    ]
}

const OF_THE_ANSWER: &str = "$response.body#/id";
const OF_THE_REQUEST: &str = "$request.path.id";

const SHOW: Link = Link {
    name: "Show",
    key: "show",
    operation: "showAgent",
    help: "Its current state.",
    id: OF_THE_ANSWER,
    number: None,
};
const ASK: Link = Link {
    name: "Ask",
    key: "ask",
    operation: "ask",
    help: "Its first order.",
    id: OF_THE_ANSWER,
    number: None,
};
const ASK_AGAIN: Link = Link {
    name: "AskAgain",
    key: "askAgain",
    operation: "ask",
    help: "The next order.",
    id: OF_THE_REQUEST,
    number: None,
};
const TELL: Link = Link {
    name: "Tell",
    key: "tell",
    operation: "tell",
    help: "Report the rewards of the order, with its number.",
    id: OF_THE_REQUEST,
    number: Some(Number::Sequence),
};
const FAILED: Link = Link {
    name: "Failed",
    key: "failed",
    operation: "legFailed",
    help: "Report that the order could not be carried out, with its number.",
    id: OF_THE_REQUEST,
    number: Some(Number::Sequence),
};
const BLOCKED: Link = Link {
    name: "Blocked",
    key: "blocked",
    operation: "edgeBlocked",
    help: "Report that an edge on the path is blocked, with the order's number.",
    id: OF_THE_REQUEST,
    number: Some(Number::Sequence),
};
const OPENED: Link = Link {
    name: "Opened",
    key: "opened",
    operation: "edgeOpened",
    help: "Report that the edge is open again, with the next number.",
    id: OF_THE_REQUEST,
    number: Some(Number::NextSequence),
};
