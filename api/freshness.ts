/** How far the index reaches, computed from the snapshot; never assumed. */
import type { ChainState } from '#sql/snapshot.ts';
import { isBackfilled } from '#sql/snapshot.ts';
import { joined } from './block-ranges.ts';
import type { BlockRange, Pin } from './cursor.ts';
import type { ApiDeps } from './deps.ts';
import { ApiProblem } from './errors.ts';
import { isTraced, tracedWithin } from './internal-calls/traced-reader.ts';

/** Highest block known of the chain: what the pipeline heard or what a node told this process. */
export function chainHead(deps: Pick<ApiDeps, 'client'>, state: ChainState): number {
  return Math.max(state.chainHead, state.head, ...deps.client.endpoints.map((endpoint) => endpoint.head));
}

/** @param pin of a walk: one that has passed over blocks is not complete. @source conventions C11 */
export function indexInfo(deps: Pick<ApiDeps, 'client' | 'settings'>, state: ChainState, pin?: Pin) {
  const known = chainHead(deps, state);
  const lagBlocks = known - state.head;
  const hasSeenAll = (pin?.gaps ?? []).length === 0;
  const complete = hasSeenAll && isBackfilled(state) && lagBlocks <= deps.settings.freshnessToleranceBlocks;
  return { head: state.head, headHash: state.headHash, chainHead: known, lagBlocks, complete };
}

export interface Coverage {
  readonly from: number;
  readonly to: number;
  readonly indexedFrom: number;
  readonly indexedTo: number;
  /** Windows within from..to that are not indexed, both ends inclusive. */
  readonly gaps: { from: number; to: number }[];
  /** @source specification part 2: backfill complete, and within the tolerance of the requested head */
  readonly complete: boolean;
  readonly freshness_tolerance_blocks: number;
}

/** Blocks between the start and the head that are not visible, by range; lowest first where none is parked. */
export function missingBlocks(state: ChainState): BlockRange[] {
  const parked = state.parked.map((block) => ({ from: block, to: block }));
  return isBackfilled(state) ? parked : [...parked, { from: state.backfilledBefore, to: state.followFrom - 1 }];
}

/** What of a block window is indexed. @param to may lie above the head. @param pin of a walk: what it has passed over is a gap, though it be filled by now */
export function coverageOf(deps: ApiDeps, state: ChainState, from: number, to: number, pin?: Pin): Coverage {
  const tolerance = deps.settings.freshnessToleranceBlocks;
  const end = Math.min(to, chainHead(deps, state));
  const gaps: { from: number; to: number }[] = [];
  const add = (low: number, high: number) => {
    const [clampedLow, clampedHigh] = [Math.max(low, from), Math.min(high, end)];
    if (clampedLow <= clampedHigh) gaps.push({ from: clampedLow, to: clampedHigh });
  };
  add(0, state.startBlock - 1);
  for (const gap of joined([...missingBlocks(state), ...(pin?.gaps ?? [])])) add(gap.from, gap.to);
  const complete = gaps.length === 0 && end - state.head <= tolerance;
  add(state.head + 1, end);
  return {
    ...{ from, to, indexedFrom: state.startBlock, indexedTo: state.head, gaps, complete },
    freshness_tolerance_blocks: tolerance,
  };
}

/** Of which blocks of a window value moved by contracts is indexed: `internal` is true where it is of all of them up to the head. */
export async function internalCoverage(deps: ApiDeps, state: ChainState, from: number, to: number) {
  const ranges = await deps.traced.ranges(state);
  const internalRanges = tracedWithin(ranges, state, from, to);
  return { internal: isTraced(ranges, state, from, to), internalRanges };
}

/** What to answer for an id that no row has: 404 only where the index covers the chain's head. */
export function absent(deps: ApiDeps, state: ChainState, what: string): ApiProblem {
  const coverage = coverageOf(deps, state, state.startBlock, Number.MAX_SAFE_INTEGER);
  if (coverage.complete) return new ApiProblem('not_found', `${what} is not on the chain up to block ${state.head}`);
  return new ApiProblem('indexing', `${what} is not indexed yet; the index is not complete`, { gaps: coverage.gaps });
}
