/** How far the index reaches, computed from the snapshot; never assumed. Every claim of completeness is made here. */
import { firstOf } from '#runtime/lists.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { isBackfilled, isWhole } from '#sql/snapshot.ts';
import type { BlockRange, Pin } from '../../terms/cursor.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { isTraced, type TracedReader, tracedWithin } from '../accounts/internal-calls/traced-reader.ts';
import type { CoverageDeps, NodeDeps } from '../reader-deps.ts';
import { joined } from './block-ranges.ts';

/** Highest block known of the chain: from the pipeline, or from a node that this process asks. */
export function chainHead({ client, upstreams }: NodeDeps, state: ChainState): number {
  const heads = client.endpoints.map((endpoint) => endpoint.head);
  return Math.max(state.chainHead, state.head, upstreams.head ?? 0, ...heads);
}

/** @param pin of a walk: one that has passed over blocks is not complete. @source conventions C11 */
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
  /** Last block of the window that is on the chain: never above the highest block known. */
  readonly to: number;
  readonly indexedFrom: number;
  readonly indexedTo: number;
  /** Parts of from..to that the index does not stand behind, both ends inclusive: not indexed, or doubted. */
  readonly gaps: { from: number; to: number }[];
  /** True when every block of from..to is indexed and undoubted: there are no gaps. */
  readonly complete: boolean;
  readonly freshness_tolerance_blocks: number;
}

/** Blocks up to the head that the index does not stand behind: below the start, not backfilled, missing, or doubted. */
export function missingBlocks(state: ChainState): BlockRange[] {
  const ranges = state.quarantined.map((block) => ({ from: block, to: block }));
  if (!isBackfilled(state)) ranges.push({ from: state.backfilledBefore, to: state.followFrom - 1 });
  if (state.doubtedFrom !== undefined) ranges.push({ from: state.doubtedFrom, to: state.head });
  return ranges.filter(({ from, to }) => from <= to);
}

/**
 * What of a block window the index stands behind.
 * @param to may lie above the chain; absent: the window reaches to the highest block known
 * @param pin of a walk: what the walk has passed over is a gap, even if it has been filled since
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

/** In words, for a refusal: which blocks are missing and why. */
export function gapText(state: ChainState, { from, to }: BlockRange): string {
  const blocks = from === to ? `block ${from}` : `blocks ${from} to ${to}`;
  if (state.doubtedFrom !== undefined && to >= state.doubtedFrom && from <= state.head)
    return `${blocks} are in doubt: a node contradicts block ${state.doubtedFrom}`;
  return `${blocks} ${from === to ? 'is' : 'are'} not indexed yet; the index reaches block ${state.head}`;
}

/** Of which blocks of a window value moved by contracts is indexed: `internal` is true where it is of all of them up to the head. */
export async function internalCoverage(
  deps: { readonly traced: TracedReader },
  state: ChainState,
  from: number,
  to: number,
) {
  const ranges = await deps.traced.ranges(state);
  const internalRanges = tracedWithin(ranges, state, from, to);
  return { internal: isTraced(ranges, state, from, to), internalRanges };
}

/** What to answer for an id that no row has: 404 only where the index covers all of the chain that is known. */
export function absent(deps: CoverageDeps, state: ChainState, what: string): ApiProblem {
  const { complete, gaps } = coverageOf(deps, state, state.startBlock);
  if (complete) return new ApiProblem('not_found', `${what} is not on the chain up to block ${state.head}`);
  return new ApiProblem('indexing', `${what} is not known: ${gapText(state, firstOf(gaps))}`, { gaps });
}
