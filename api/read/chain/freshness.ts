import { getFirst } from '#runtime/lists.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { isBackfilled, isWhole } from '#sql/snapshot.ts';
import type { BlockRange, Pin } from '../../terms/cursor.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { isTraced, type TracedReader, tracedWithin } from '../accounts/internal-calls/traced-reader.ts';
import type { CoverageDeps, NodeDeps } from '../reader-deps.ts';
import { joined } from './block-ranges.ts';

export function chainHead({ client, upstreams }: NodeDeps, state: ChainState): number {
  const heads = client.endpoints.map((endpoint) => endpoint.head);
  return Math.max(state.chainHead, state.head, upstreams.head ?? 0, ...heads);
}

/** Describes for a reply how complete the index is. */
export function indexInfo(deps: CoverageDeps, state: ChainState, pin?: Pin) {
  const known = chainHead(deps, state);
  const lagBlocks = known - state.head;
  const hasSeenAll = (pin?.gaps ?? []).length === 0 && isWhole(state) && state.doubtedFrom === undefined;
  const complete = hasSeenAll && lagBlocks <= deps.settings.freshnessToleranceBlocks;
  const doubtedFrom = state.doubtedFrom ?? null;
  return { head: state.head, headHash: state.headHash, chainHead: known, lagBlocks, complete, doubtedFrom };
}

interface Coverage {
  readonly from: number;
  readonly to: number;
  readonly indexedFrom: number;
  readonly indexedTo: number;
  /** Blocks that the index lacks or a node contradicts; both ends inclusive. */
  readonly gaps: { from: number; to: number }[];
  readonly complete: boolean;
  readonly freshness_tolerance_blocks: number;
}

/** Returns blocks that are quarantined because of an error, not backfilled yet, or contradicted by a node. */
export function missingBlocks(state: ChainState): BlockRange[] {
  const ranges = state.quarantined.map((block) => ({ from: block, to: block }));
  if (!isBackfilled(state)) ranges.push({ from: state.backfilledBefore, to: state.followFrom - 1 });
  if (state.doubtedFrom !== undefined) ranges.push({ from: state.doubtedFrom, to: state.head });
  return ranges.filter(({ from, to }) => from <= to);
}

/**
 * Returns which of the requested blocks the index contains.
 * @param to may be above the newest block
 * @param pin snapshot in a cursor: blocks that earlier pages skipped count as gaps, even if indexed now
 */
export function coverageOf(
  deps: CoverageDeps,
  state: ChainState,
  from: number,
  to = Number.POSITIVE_INFINITY,
  pin?: Pin,
): Coverage {
  const end = Math.max(from, Math.min(to, chainHead(deps, state)));
  const missing = [
    { from: 0, to: state.startBlock - 1 },
    ...missingBlocks(state),
    ...(pin?.gaps ?? []),
    { from: state.head + 1, to: end },
  ];
  const clamped = missing.map((range) => ({ from: Math.max(range.from, from), to: Math.min(range.to, end) }));
  const gaps = joined(clamped.filter((range) => range.from <= range.to));
  return {
    from,
    to: end,
    indexedFrom: state.startBlock,
    indexedTo: state.head,
    gaps,
    complete: gaps.length === 0,
    freshness_tolerance_blocks: deps.settings.freshnessToleranceBlocks,
  };
}

export function describeGap(state: ChainState, { from, to }: BlockRange): string {
  const blocks = from === to ? `block ${from}` : `blocks ${from} to ${to}`;
  const verb = from === to ? 'is' : 'are';
  if (state.doubtedFrom !== undefined && to >= state.doubtedFrom && from <= state.head)
    return `${blocks} ${verb} in doubt: a node contradicts block ${state.doubtedFrom}`;
  return `${blocks} ${verb} not indexed yet; the index reaches block ${state.head}`;
}

/** @param what start of the error text @throws ApiProblem indexing if the index lacks a block */
export function assertCovered(deps: CoverageDeps, state: ChainState, { from, to }: BlockRange, what: string): void {
  const { gaps } = coverageOf(deps, state, from, to);
  const [gap] = gaps;
  if (gap) throw new ApiProblem('indexing', `${what}: ${describeGap(state, gap)}`, { gaps });
}

export async function readInternalCoverage(
  deps: { readonly traced: TracedReader },
  state: ChainState,
  from: number,
  to: number,
) {
  const ranges = await deps.traced.ranges(state);
  const internalRanges = tracedWithin(ranges, state, from, to);
  return { internal: isTraced(ranges, state, from, to), internalRanges };
}

/** Returns the error for a missing object: not_found if the index is complete, else indexing. */
export function absent(deps: CoverageDeps, state: ChainState, what: string): ApiProblem {
  const { complete, gaps } = coverageOf(deps, state, state.startBlock);
  if (complete) return new ApiProblem('not_found', `${what} is not on the chain up to block ${state.head}`);
  return new ApiProblem(
    'indexing',
    `${what} was not found, but the index is incomplete: ${describeGap(state, getFirst(gaps))}`,
    { gaps },
  );
}
