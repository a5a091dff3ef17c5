//! The table of all routes. Router, guard and description are made from it.

use super::describe::{Link, Number, Refusal};
use super::route::{Access, Route, delete, get, post};
use super::{
    Scope, best, dashboard, estimates, events, handlers, history, maps, read_maps, reports,
    rewards, simulations,
};

const OPEN: Access = Access::Open;
const READ: Access = Access::Scoped(Scope::Read);
const DECIDE: Access = Access::Scoped(Scope::Decide);
const ADMIN: Access = Access::Scoped(Scope::Admin);

pub(super) fn routes() -> Vec<Route> {
    of_agents().into_iter().chain(of_simulations()).collect()
}

fn of_agents() -> Vec<Route> {
    vec![
        get("/", OPEN, dashboard::page).called("page", "The dashboard page."),
        get("/dashboard/{file}", OPEN, dashboard::file)
            .called("pageFile", "A file of the dashboard page.")
            .refused(&[Refusal::NoSuchFile]),
        get("/healthz", OPEN, handlers::health).called("health", "Whether the process answers."),
        get("/readyz", OPEN, handlers::ready).called("ready", "Whether reports can be stored now."),
        get("/openapi.json", OPEN, handlers::openapi)
            .called("openapi", "The OpenAPI document of the service."),
        get("/metrics", READ, handlers::metrics).called("metrics", "Metrics for Prometheus."),
        get("/v1/registry", READ, handlers::registry).called(
            "registry",
            "The registry: agents, graph families, noises, means, and their parameters.",
        ),
        get("/v1/agents", READ, handlers::list).called("listAgents", "All agents, page by page."),
        post("/v1/agents", ADMIN, handlers::create)
            .called(
                "createAgent",
                "Create an agent. Repeating the request with the same name changes nothing.",
            )
            .refused(&[Refusal::Conflict])
            .followed_by(&[&SHOW, &ASK]),
        post("/v1/maps", ADMIN, read_maps::read)
            .called(
                "readMap",
                "Read a map file into a graph that an agent can be created with. Nothing is \
                 stored.",
            )
            .refused(&[Refusal::NoMap]),
        post("/v1/import", ADMIN, handlers::import)
            .called("importAgent", "Create an agent that continues an exported one.")
            .refused(&[Refusal::Conflict])
            .followed_by(&[&SHOW, &ASK]),
        get("/v1/agents/{id}", READ, handlers::show)
            .called("showAgent", "An agent and its present state."),
        delete("/v1/agents/{id}", ADMIN, handlers::delete)
            .called("deleteAgent", "Remove an agent and its history."),
        post("/v1/agents/{id}/ask", DECIDE, reports::ask)
            .called("ask", "The present order, which stays the same until the next report.")
            .followed_by(&[&TELL, &FAILED, &BLOCKED]),
        post("/v1/agents/{id}/tell", DECIDE, reports::tell)
            .called("tell", "Report rewards.")
            .refused(&[Refusal::Conflict])
            .followed_by(&[&ASK_AGAIN]),
        post("/v1/agents/{id}/failed", DECIDE, reports::failed)
            .called("legFailed", "Report that the leg failed; the agent plans again.")
            .refused(&[Refusal::Conflict])
            .followed_by(&[&ASK_AGAIN]),
        post("/v1/agents/{id}/blocked", DECIDE, reports::blocked)
            .called(
                "edgeBlocked",
                "Report a blocked edge. The agent plans around it, and nodes that are cut off are \
                 set aside.",
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
                "Report rewards that somebody else observed. The agent does not move, and its \
                 order stands.",
            )
            .refused(&[Refusal::Conflict])
            .followed_by(&[&ASK_AGAIN]),
        post("/v1/agents/{id}/moved", DECIDE, reports::moved)
            .called(
                "moved",
                "Report that the robot is somewhere else, or that another robot took over there; \
                 the agent plans again.",
            )
            .refused(&[Refusal::Conflict])
            .followed_by(&[&ASK_AGAIN]),
        get("/v1/agents/{id}/best", READ, best::best)
            .called("best", "The best node so far, and how certain it is."),
        get("/v1/agents/{id}/estimates", READ, estimates::estimates)
            .called("estimates", "The estimates of the nodes."),
        get("/v1/agents/{id}/events", READ, events::events).called(
            "events",
            "Watch an agent: an event at once, and one after every change, at most ten per second. \
             The stream ends when the agent is deleted, or when the service stops or reads its \
             tokens again.",
        ),
        get("/v1/agents/{id}/history", READ, history::history)
            .called("history", "The history of the agent."),
        get("/v1/agents/{id}/map", READ, maps::map).called(
            "agentMap",
            "The agent's graph, blocked edges included. Without `blocked`, `learned` and \
             `positions`, you can send it back as the graph of a new agent.",
        ),
        get("/v1/agents/{id}/rewards", READ, rewards::rewards)
            .called("rewards", "The sum of rewards over time."),
        get("/v1/agents/{id}/snapshot", READ, handlers::snapshot)
            .called("exportAgent", "The agent as a file, for /v1/import."),
    ]
}

fn of_simulations() -> Vec<Route> {
    vec![
        get("/v1/simulations", READ, simulations::list)
            .called("simulations", "The agents that this process simulates."),
        post("/v1/agents/{id}/simulation", DECIDE, simulations::start)
            .called(
                "simulate",
                "Simulate an agent: robot `simulation` reports visits with made-up rewards, several \
                 a second, until it is stopped, the agent is deleted, ten thousand visits \
                 are reported, 20 reports in a row fail, or the process ends.",
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
    help: "Its present state.",
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
