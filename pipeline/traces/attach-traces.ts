import { NodeError } from '#chain/errors.ts';
import type { Endpoint } from '#chain/rpc/endpoint.ts';
import { fetchCalls, supportsTraces } from '#chain/rpc/fetch-calls.ts';
import type { BlockBundle } from '#chain/rpc/wire-types.ts';
import { known } from '#runtime/known.ts';
import { getFirst } from '#runtime/lists.ts';
import { pause } from '#runtime/shutdown.ts';
import type { PipelineDeps } from '../deps.ts';

type TraceDeps = Pick<PipelineDeps, 'client' | 'signal'>;

const maxAttempts = 5;
/** Maximum time for all attempts, ms, because new blocks wait for their traces. */
const maxTotalMs = 5_000;
/** Number of untraced blocks in a row after which tracing pauses: the node may lack old states. */
const maxInARow = 10;
const restMs = 30_000;
const logEveryMs = 10_000;

interface Health {
  missedInARow: number;
  restUntil: number;
  loggedAt: number;
}

const healths = new WeakMap<PipelineDeps['client'], Health>();

function getHealth({ client }: TraceDeps): Health {
  const health = healths.get(client) ?? { missedInARow: 0, restUntil: 0, loggedAt: 0 };
  healths.set(client, health);
  return health;
}

/**
 * Adds traces (internal calls) to blocks. Returns blocks without traces if no node traced them: trace-history.ts
 * retries later.
 * @param insists asks the nodes even while tracing is paused or no endpoint seems to support it
 */
export async function attachTraces(
  deps: TraceDeps & Pick<PipelineDeps, 'settings' | 'log'>,
  bundles: readonly BlockBundle[],
  insists = false,
): Promise<BlockBundle[]> {
  const health = getHealth(deps);
  const isHopeless = !deps.client.endpoints.some(supportsTraces) || Date.now() < health.restUntil;
  if (!deps.settings.traces || (isHopeless && !insists)) return [...bundles];
  try {
    const traced = await traceBlocks(deps, bundles, bundles.length > 1 ? 2 : maxAttempts);
    health.missedInARow = 0;
    return traced;
  } catch (error) {
    if (deps.signal.aborted) return [...bundles];
    // trace each block separately, so that one bad block does not leave the others untraced
    if (bundles.length > 1) {
      const oneByOne: BlockBundle[] = [];
      for (const bundle of bundles) oneByOne.push(...(await attachTraces(deps, [bundle], insists && !isHopeless)));
      return oneByOne;
    }
    recordMissing(deps, health, Number(getFirst(bundles).block.number), error);
    return [...bundles];
  }
}

/**
 * Traces blocks, and retries on changing endpoints.
 * @throws InvalidChainData, TransportError, NodeError
 */
export async function traceBlocks(
  { client, signal }: TraceDeps,
  bundles: readonly BlockBundle[],
  attempts = maxAttempts,
): Promise<BlockBundle[]> {
  const missing = bundles.filter((bundle) => !bundle.calls);
  const startedAt = Date.now();
  for (let attempt = 0; ; attempt++) {
    const endpoint = pick(client.endpoints, attempt);
    try {
      const calls = await fetchCalls(client, endpoint, missing, signal);
      return bundles.map((bundle) => {
        const at = missing.indexOf(bundle);
        return at < 0 ? bundle : { ...bundle, calls: known(calls[at], 'the traces of a block') };
      });
    } catch (error) {
      // a node usually repeats the same error, so give up once every endpoint was asked
      const isFinal = error instanceof NodeError && attempt >= client.endpoints.length;
      const isLate = Date.now() - startedAt > maxTotalMs;
      if (signal.aborted || isFinal || isLate || attempt + 1 >= attempts) throw error;
      await pause(Math.min(50 * 2 ** attempt, 2_000) * (0.5 + Math.random() / 2), signal);
    }
  }
}

function pick(endpoints: readonly Endpoint[], attempt: number): Endpoint {
  const ranked = endpoints.map((endpoint) => ({
    endpoint,
    rank: (supportsTraces(endpoint) ? 0 : 2) + (endpoint.available ? 0 : 1),
  }));
  const best = Math.min(...ranked.map(({ rank }) => rank));
  const equals = ranked.filter(({ rank }) => rank === best);
  return known(equals[attempt % equals.length], 'an endpoint').endpoint;
}

function recordMissing({ log }: Pick<PipelineDeps, 'log'>, health: Health, block: number, error: unknown): void {
  if (++health.missedInARow % maxInARow === 0) health.restUntil = Date.now() + restMs;
  if (Date.now() - health.loggedAt < logEveryMs) return;
  health.loggedAt = Date.now();
  log.warn({ event: 'traces_missing', block, reason: String(error) });
}
