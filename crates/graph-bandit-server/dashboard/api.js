// The page's requests to the service. Addresses are relative, so that a proxy may serve it under a path.

import { token, wantToken } from './token.js';

/** The largest pages of the service: of a list, and of estimates. */
export const LARGEST_PAGE = 1000;
const ESTIMATES_PAGE = 100_000;

/** A refusal with the service's message. */
export class Problem extends Error {
  constructor({ status, title, detail }) {
    super(detail || title || `the service answered ${status}`);
    this.status = status;
    this.title = title;
  }
}

/** No answer at all. */
export class Unreachable extends Error {}

/** Whether the service may answer later. */
export const passes = (error) =>
  error instanceof Unreachable || (error instanceof Problem && (error.status >= 500 || error.status === 429));

/** Sends a request; asks for a token if one is required. */
export async function send(path, { method = 'GET', body, type, signal } = {}) {
  for (;;) {
    const given = token();
    const headers = {};
    if (given) headers.Authorization = `Bearer ${given}`;
    if (type) headers['Content-Type'] = type;
    let response;
    try {
      response = await fetch(path, { method, body, headers, signal, cache: 'no-store' });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new Unreachable('The service does not answer.');
    }
    if (response.ok) return response;
    const problem = await problemOf(response);
    const complaint = given ? 'The service does not accept this token.' : '';
    // Another request may have asked for a new token meanwhile.
    if (response.status === 401 && (token() !== given || (await wantToken(complaint)))) continue;
    throw problem;
  }
}

async function problemOf(response) {
  const { status } = response;
  try {
    return new Problem({ status, ...(await response.json()) });
  } catch {
    return new Problem({ status, title: response.statusText });
  }
}

async function json(path, options) {
  const response = await send(path, options);
  try {
    return await response.json();
  } catch (error) {
    if (options?.signal?.aborted) throw error;
    throw new Unreachable('The answer was cut off.');
  }
}

const agentPath = (id) => `v1/agents/${encodeURIComponent(id)}`;

export const ready = () => send('readyz');
export const registry = () => json('v1/registry');
export const listAgents = (after, limit) => json(`v1/agents?${new URLSearchParams({ after, limit })}`);
export const showAgent = (id, signal) => json(agentPath(id), { signal });
export const mapOf = (id, signal) => json(`${agentPath(id)}/map?positions=true`, { signal });
export const learnedOf = (id, signal) => json(`${agentPath(id)}/map?learned=true`, { signal });
export const rewardsOf = (id, signal) => json(`${agentPath(id)}/rewards`, { signal });
export const bestOf = (id, signal) => json(`${agentPath(id)}/best`, { signal });
export const eventsOf = (id, signal) => send(`${agentPath(id)}/events`, { signal });
export const removeAgent = (id) => send(agentPath(id), { method: 'DELETE' });
export const createAgent = (request) =>
  json('v1/agents', { method: 'POST', body: JSON.stringify(request), type: 'application/json' });

/** The last report of an agent with this many reports. */
export const lastReport = async (id, sequence) =>
  (await json(`${agentPath(id)}/history?from=${sequence - 1}&limit=1`)).records[0];
/** The order of a walker, with its reasons. */
export const askFor = (id, walker, signal) =>
  json(`${agentPath(id)}/ask?${new URLSearchParams({ walker })}`, { method: 'POST', signal });
const post = (path, body) => json(path, { method: 'POST', body: JSON.stringify(body), type: 'application/json' });
export const joinTeam = (id, walker) => post(`${agentPath(id)}/joined`, walker);
export const leaveTeam = (id, walker) => post(`${agentPath(id)}/left`, walker);
export const simulations = () => json('v1/simulations');
export const simulate = (id) => json(`${agentPath(id)}/simulation`, { method: 'POST' });
export const stopSimulating = (id) => send(`${agentPath(id)}/simulation`, { method: 'DELETE' });

/** Estimates of all nodes, of one moment unless there are very many nodes. */
export async function estimatesOf(id, signal) {
  const all = [];
  for (let from = 0; from !== undefined;) {
    const page = await json(`${agentPath(id)}/estimates?${new URLSearchParams({ from, limit: ESTIMATES_PAGE })}`, {
      signal,
    });
    for (const known of page.estimates) all[known.node] = known;
    from = page.next;
  }
  return all;
}

/** Has the service read a map file; returns its graph, node positions, and notes on what was left out. */
export function readMap(file, { largestComponent, ways, roads }, signal) {
  const options = { largest_component: largestComponent, ways, ...roads };
  const query = new URLSearchParams({ name: file.name, ...options, positions: true });
  return json(`v1/maps?${query}`, { method: 'POST', body: file, type: 'application/octet-stream', signal });
}
