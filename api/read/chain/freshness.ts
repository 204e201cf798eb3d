import { getFirst } from '#runtime/lists.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { isWhole } from '#sql/snapshot.ts';
import { type BlockRange, finalizedHash, type Pin } from '../../terms/cursor.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { isTraced, type TracedReader, tracedWithin } from '../accounts/internal-calls/traced-reader.ts';
import type { CoverageDeps, NodeDeps } from '../reader-deps.ts';
import { hiddenBlocks, joined } from './block-ranges.ts';

export function chainHead({ client, upstreams }: NodeDeps, state: ChainState): number {
  const heads = client.endpoints.map((endpoint) => endpoint.head);
  return Math.max(state.chainHead, state.head, upstreams.head ?? 0, ...heads);
}

/**
 * Describes for a reply how complete the index is.
 * @param pin snapshot in a cursor: `head` is the last block of the list, also if the index has newer blocks
 */
export function indexInfo(deps: CoverageDeps, state: ChainState, pin?: Pin) {
  const known = chainHead(deps, state);
  const hasSeenAll = (pin?.gaps ?? []).length === 0 && isWhole(state) && state.doubtedFrom === undefined;
  const complete = hasSeenAll && known - state.head <= deps.settings.freshnessToleranceBlocks;
  const { head, headHash } = endOfList(state, pin);
  const doubtedFrom = state.doubtedFrom ?? null;
  return { head, headHash, chainHead: known, lagBlocks: known - head, complete, doubtedFrom };
}

/** Returns the head that a reply of a list reports: that of its first page, or the newest block. */
export function endOfList({ head, headHash }: ChainState, pin?: Pin): { head: number; headHash: string } {
  // with finalizedHash, pin.head is the last requested block, not a head
  if (pin === undefined || pin.hash === finalizedHash || pin.head >= head) return { head, headHash };
  return { head: pin.head, headHash: pin.hash };
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
  const ranges = hiddenBlocks(state);
  if (state.doubtedFrom !== undefined) ranges.push({ from: state.doubtedFrom, to: state.head });
  return ranges;
}

/**
 * Returns which of the requested blocks the index contains.
 * @param to may be above the newest block
 * @param pin snapshot in a cursor: blocks that earlier pages skipped, and requested blocks after its head, count as gaps,
 * even if indexed now. Without `to`, the list ends at its head
 */
export function coverageOf(
  deps: CoverageDeps,
  state: ChainState,
  from: number,
  to = Number.POSITIVE_INFINITY,
  pin?: Pin,
): Coverage {
  const { head } = endOfList(state, pin);
  const isOpen = to === Number.POSITIVE_INFINITY && head < state.head;
  const end = Math.max(from, Math.min(isOpen ? head : to, chainHead(deps, state)));
  const missing = [
    { from: 0, to: state.startBlock - 1 },
    ...missingBlocks(state),
    ...(pin?.gaps ?? []),
    { from: head + 1, to: end },
  ];
  const clamped = missing.map((range) => ({ from: Math.max(range.from, from), to: Math.min(range.to, end) }));
  const gaps = joined(clamped.filter((range) => range.from <= range.to));
  return {
    from,
    to: end,
    indexedFrom: state.startBlock,
    indexedTo: head,
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

/**
 * Returns whether all requested blocks have traces, and the ranges that have.
 * @param to last requested block; undefined: the list ends with its newest block
 */
export async function readInternalCoverage(
  deps: CoverageDeps & { readonly traced: TracedReader },
  state: ChainState,
  from: number,
  to?: number,
  pin?: Pin,
) {
  const ranges = await deps.traced.ranges(state);
  const { head } = endOfList(state, pin);
  const end = to === undefined ? head : Math.min(to, chainHead(deps, state));
  const internalRanges = tracedWithin(ranges, state, from, Math.min(end, head));
  const isKnown = Math.max(from, end) <= head;
  return { internal: isKnown && isTraced(ranges, state, from, end), internalRanges };
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
