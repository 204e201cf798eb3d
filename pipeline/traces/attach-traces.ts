import { NodeError } from '#chain/errors.ts';
import type { Endpoint } from '#chain/rpc/endpoint.ts';
import { fetchCalls, supportsTraces } from '#chain/rpc/fetch-calls.ts';
import type { BlockBundle } from '#chain/rpc/wire-types.ts';
import { known } from '#runtime/known.ts';
import { getFirst } from '#runtime/lists.ts';
import type { Log } from '#runtime/log.ts';
import { pause } from '#runtime/shutdown.ts';
import { withDeadline } from '#runtime/signals.ts';
import type { FetchSettings } from '../backfill/backfill-settings.ts';
import type { NodeDeps } from '../deps.ts';

interface AttachDeps extends NodeDeps {
  readonly log: Log;
  readonly settings: Pick<FetchSettings, 'traces'>;
}

const maxAttempts = 5;
/** Time after which no further attempt starts, ms: new blocks wait. */
const maxTotalMs = 5_000;
/** Maximum wait of a new block for an optional trace, ms. */
const optionalMs = 1_000;
/** Untraced blocks in a row before tracing pauses: the node may lack old states. */
const maxInARow = { on: 10, auto: 2 } as const;
const restMs = 30_000;
const logEveryMs = 10_000;

interface Health {
  missedInARow: number;
  restUntil: number;
  loggedAt: number;
}

const healths = new WeakMap<NodeDeps['client'], Health>();

function getHealth({ client }: NodeDeps): Health {
  const health = healths.get(client) ?? { missedInARow: 0, restUntil: 0, loggedAt: 0 };
  healths.set(client, health);
  return health;
}

/**
 * Adds traces (internal calls) to blocks, except those that no node traced: trace-history.ts retries them.
 * @param insists query the nodes even while tracing is paused or seems unsupported
 */
export async function attachTraces(
  deps: AttachDeps,
  bundles: readonly BlockBundle[],
  insists = false,
): Promise<BlockBundle[]> {
  const plan = planTraces(deps, bundles.length, insists);
  if (!plan) return [...bundles];
  const health = getHealth(deps);
  const startedAt = Date.now();
  try {
    const isOptional = deps.settings.traces === 'auto';
    const trace = (signal: AbortSignal) =>
      traceBlocks({ client: deps.client, signal, isOptional }, bundles, plan.attempts);
    const traced = await (plan.isHurried ? withDeadline(optionalMs, [deps.signal], trace) : trace(deps.signal));
    health.missedInARow = 0;
    return traced;
  } catch (error) {
    if (deps.signal.aborted) return [...bundles];
    // block by block: one bad block must not leave the others untraced
    if (bundles.length > 1 && !plan.isHurried) {
      const oneByOne: BlockBundle[] = [];
      for (const bundle of bundles) oneByOne.push(...(await attachTraces(deps, [bundle], insists && !plan.isHopeless)));
      return oneByOne;
    }
    const isLate = plan.isHurried && Date.now() - startedAt >= optionalMs;
    recordMissing(deps, health, { block: Number(getFirst(bundles).block.number), error, isLate });
    return [...bundles];
  }
}

/** @returns undefined: don't trace now */
function planTraces(deps: AttachDeps, blocks: number, insists: boolean) {
  const { traces = 'off' } = deps.settings;
  const isHopeless = !deps.client.endpoints.some(supportsTraces) || Date.now() < getHealth(deps).restUntil;
  if (traces === 'off' || (isHopeless && !insists)) return undefined;
  const isHurried = traces === 'auto' && !insists;
  return { isHopeless, isHurried, attempts: isHurried || blocks > 1 ? 2 : maxAttempts };
}

/**
 * Traces blocks. Each retry uses the next of the most suitable endpoints.
 * @throws InvalidChainData, TransportError, NodeError
 */
export async function traceBlocks(
  { client, signal, isOptional = false }: NodeDeps & { readonly isOptional?: boolean },
  bundles: readonly BlockBundle[],
  attempts = maxAttempts,
): Promise<BlockBundle[]> {
  const missing = bundles.filter((bundle) => !bundle.calls);
  const startedAt = Date.now();
  for (let attempt = 0; ; attempt++) {
    const endpoint = pick(client.onBranch, attempt);
    try {
      const calls = await fetchCalls(client, endpoint, missing, { signal, isOptional });
      return bundles.map((bundle) => {
        const at = missing.indexOf(bundle);
        return at < 0 ? bundle : { ...bundle, calls: known(calls[at], 'the traces of a block') };
      });
    } catch (error) {
      // a node usually repeats its error, so make only one more attempt after each endpoint was tried
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

function recordMissing(
  { client, settings, log }: AttachDeps,
  health: Health,
  missing: { readonly block: number; readonly error: unknown; readonly isLate: boolean },
): void {
  const isAuto = settings.traces === 'auto';
  if (++health.missedInARow % maxInARow[isAuto ? 'auto' : 'on'] === 0) health.restUntil = Date.now() + restMs;
  // /status already reports that no node can trace
  if (isAuto && !client.endpoints.some(supportsTraces)) return;
  if (Date.now() - health.loggedAt < logEveryMs) return;
  health.loggedAt = Date.now();
  // no warning for late optional traces: the node may only be busy, and trace-history.ts adds them
  const entry = { event: 'traces_missing', block: missing.block, reason: String(missing.error) };
  if (missing.isLate) log.info(entry);
  else log.warn(entry);
}
