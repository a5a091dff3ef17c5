//! The table of all routes. Router, guard and description are made of it.

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
        get("/", OPEN, dashboard::page).called("page", "A page that shows all this to people."),
        get("/dashboard/{file}", OPEN, dashboard::file)
            .called("pageFile", "A file that the page is made of.")
            .refused(&[Refusal::NoSuchFile]),
        get("/healthz", OPEN, handlers::health).called("health", "Whether the process answers."),
        get("/readyz", OPEN, handlers::ready).called("ready", "Whether reports can be kept now."),
        get("/openapi.json", OPEN, handlers::openapi).called("openapi", "This document."),
        get("/metrics", READ, handlers::metrics).called("metrics", "Counters for Prometheus."),
        get("/v1/registry", READ, handlers::registry).called(
            "registry",
            "What there is: agents, graph families, noises, means, and their parameters.",
        ),
        get("/v1/agents", READ, handlers::list).called("listAgents", "The agents there are."),
        post("/v1/agents", ADMIN, handlers::create)
            .called(
                "createAgent",
                "Create an agent. The same request under the same name again changes nothing.",
            )
            .refused(&[Refusal::Conflict])
            .followed_by(&[&SHOW, &ASK]),
        post("/v1/maps", ADMIN, read_maps::read)
            .called(
                "readMap",
                "Read the file of a map, as a graph that an agent can be created with. Nothing is \
                 kept.",
            )
            .refused(&[Refusal::NoMap]),
        post("/v1/import", ADMIN, handlers::import)
            .called("importAgent", "Create an agent that goes on where an exported one stood.")
            .refused(&[Refusal::Conflict])
            .followed_by(&[&SHOW, &ASK]),
        get("/v1/agents/{id}", READ, handlers::show).called("showAgent", "An agent as it stands."),
        delete("/v1/agents/{id}", ADMIN, handlers::delete)
            .called("deleteAgent", "Remove an agent and all that was told to it."),
        post("/v1/agents/{id}/ask", DECIDE, reports::ask)
            .called("ask", "The next order: the same until something is reported.")
            .followed_by(&[&TELL, &FAILED, &BLOCKED]),
        post("/v1/agents/{id}/tell", DECIDE, reports::tell)
            .called("tell", "Report rewards.")
            .refused(&[Refusal::Conflict])
            .followed_by(&[&ASK_AGAIN]),
        post("/v1/agents/{id}/failed", DECIDE, reports::failed)
            .called("legFailed", "Report that the leg could not be finished; it is planned anew.")
            .refused(&[Refusal::Conflict])
            .followed_by(&[&ASK_AGAIN]),
        post("/v1/agents/{id}/blocked", DECIDE, reports::blocked)
            .called("edgeBlocked", "Report that there is no way along an edge; it is planned around, and nodes that cannot be reached any more are set aside.")
            .refused(&[Refusal::Conflict])
            .followed_by(&[&ASK_AGAIN, &OPENED]),
        post("/v1/agents/{id}/opened", DECIDE, reports::opened)
            .called("edgeOpened", "Report that there is a way along a blocked edge again.")
            .refused(&[Refusal::Conflict])
            .followed_by(&[&ASK_AGAIN]),
        post("/v1/agents/{id}/observe", DECIDE, reports::observe)
            .called(
                "observe",
                "Report rewards that somebody or something else was paid; the agent does not move, and its order \
                 stands.",
            )
            .refused(&[Refusal::Conflict])
            .followed_by(&[&ASK_AGAIN]),
        post("/v1/agents/{id}/moved", DECIDE, reports::moved)
            .called(
                "moved",
                "Report that the robot is somewhere else, or another one took over there; it is planned anew.",
            )
            .refused(&[Refusal::Conflict])
            .followed_by(&[&ASK_AGAIN]),
        get("/v1/agents/{id}/best", READ, best::best)
            .called("best", "The best node so far, and how sure that is."),
        get("/v1/agents/{id}/estimates", READ, estimates::estimates)
            .called("estimates", "What is known of the nodes."),
        get("/v1/agents/{id}/events", READ, events::events).called(
            "events",
            "Watch an agent: an event at once, and one after every change, at most ten per second. It \
             ends when the agent is deleted, or the service stops.",
        ),
        get("/v1/agents/{id}/history", READ, history::history).called("history", "What happened."),
        get("/v1/agents/{id}/map", READ, maps::map)
            .called(
            "agentMap",
            "The agent's graph, blocked edges included; without `positions`, in the form in which an agent is \
             created.",
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
                "Simulate an agent: a made-up world pays its visits and reports them as robot `simulation`, some a second, \
                 until that is stopped, or ten thousand are reported, or the process ends.",
            )
            .refused(&[Refusal::Conflict]),
        delete("/v1/agents/{id}/simulation", DECIDE, simulations::stop)
            .called("stopSimulation", "Stop simulating an agent, if this process does."),
    ]
}

const OF_THE_ANSWER: &str = "$response.body#/id";
const OF_THE_REQUEST: &str = "$request.path.id";

const SHOW: Link = Link {
    name: "Show",
    key: "show",
    operation: "showAgent",
    help: "How it stands.",
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
    help: "What the order paid; its number goes along.",
    id: OF_THE_REQUEST,
    number: Some(Number::Sequence),
};
const FAILED: Link = Link {
    name: "Failed",
    key: "failed",
    operation: "legFailed",
    help: "The order could not be carried out; its number goes along.",
    id: OF_THE_REQUEST,
    number: Some(Number::Sequence),
};
const BLOCKED: Link = Link {
    name: "Blocked",
    key: "blocked",
    operation: "edgeBlocked",
    help: "An edge on the way has no way; the order's number goes along.",
    id: OF_THE_REQUEST,
    number: Some(Number::Sequence),
};
const OPENED: Link = Link {
    name: "Opened",
    key: "opened",
    operation: "edgeOpened",
    help: "The edge has a way again; the next number goes along.",
    id: OF_THE_REQUEST,
    number: Some(Number::NextSequence),
};
