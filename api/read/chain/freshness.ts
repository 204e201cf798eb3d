import type { ChainState } from '#sql/snapshot.ts';
import { isWhole } from '#sql/snapshot.ts';
import { type BlockRange, finalizedHash, type Pin } from '../../terms/cursor.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { isTraced, type TracedReader, tracedWithin } from '../accounts/internal-calls/traced-reader.ts';
import type { CoverageDeps, NodeDeps } from '../reader-deps.ts';
import { hiddenBlocks, joined } from './block-ranges.ts';

/** Returns the newest block that nodes reported. Of three or more nodes, one cannot raise it far above the others. */
export const chainHead = ({ client, upstreams }: NodeDeps, state: ChainState): number =>
  Math.max(state.chainHead, state.head, upstreams.commonHead ?? 0, client.newestHead);

/** Silence of nodes and pipeline after which unreported newer blocks are possible, ms. */
const maxSilenceMs = 15_000;

/**
 * Returns whether no node has reported its head lately, and the pipeline has written nothing. Ignores nodes far behind
 * the index, because they do not know newer blocks.
 */
export function isSilent({ client, upstreams, settings }: CoverageDeps, state: ChainState): boolean {
  const minHead = state.head - settings.freshnessToleranceBlocks;
  const known = client.endpoints.filter(({ head }) => head >= minHead);
  const heardAt = Math.max(upstreams.heardAt(minHead), ...known.map((endpoint) => endpoint.heardAt));
  return performance.now() - heardAt > maxSilenceMs && Date.now() - state.updatedAtMs > maxSilenceMs;
}

/** Returns whether the lag of the index exceeds the tolerance; false if `fromBlock` is above the chain's head. */
export function lagsBehind(deps: CoverageDeps, state: ChainState, fromBlock = 0): boolean {
  const known = chainHead(deps, state);
  return fromBlock <= known && known - state.head > deps.settings.freshnessToleranceBlocks;
}

/** Returns whether no block up to the head is missing or in doubt. */
export const isCertain = (state: ChainState): boolean => isWhole(state) && state.doubtedFrom === undefined;

/**
 * Describes for a reply how complete the index is.
 * @param pin snapshot in a cursor: its head ends the list
 */
export function indexInfo(deps: CoverageDeps, state: ChainState, pin?: Pin) {
  const known = chainHead(deps, state);
  const hasSeenAll = (pin?.gaps ?? []).length === 0 && isCertain(state);
  const isNear = !lagsBehind(deps, state) && !isSilent(deps, state);
  const complete = hasSeenAll && isNear;
  const { head, headHash } = endOfList(state, pin);
  const doubtedFrom = state.doubtedFrom ?? null;
  return { head, headHash, chainHead: known, lagBlocks: known - head, complete, doubtedFrom };
}

/** Same as `indexInfo`, for figures that need all blocks from block 0 on, such as token balances. */
export function genesisIndexInfo(deps: CoverageDeps, state: ChainState, pin?: Pin) {
  const index = indexInfo(deps, state, pin);
  return { ...index, complete: index.complete && state.startBlock === 0 };
}

/** Returns the head that a list reply reports: the head of the first page, or the newest block. */
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
 * @param to may be above the newest block; then `complete` is false while no node answers
 * @param pin snapshot in a cursor: its head ends the list if `to` is missing. Blocks that earlier pages skipped, and
 *   requested blocks above its head, count as gaps even if they are indexed
 */
export function getCoverage(
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
  const endsWithin = isOpen || to <= state.head;
  return {
    from,
    to: end,
    indexedFrom: state.startBlock,
    indexedTo: head,
    gaps,
    complete: gaps.length === 0 && (endsWithin || !isSilent(deps, state)),
    freshness_tolerance_blocks: deps.settings.freshnessToleranceBlocks,
  };
}

export function describeGap(state: ChainState, { from, to }: BlockRange): string {
  const blocks = from === to ? `block ${from}` : `blocks ${from} to ${to}`;
  const verb = from === to ? 'is' : 'are';
  if (to < state.startBlock) return `${blocks} ${verb} not indexed here (START_BLOCK)`;
  if (state.doubtedFrom !== undefined && to >= state.doubtedFrom && from <= state.head)
    return `${blocks} ${verb} in doubt: a node contradicts block ${state.doubtedFrom}`;
  return `${blocks} ${verb} not indexed yet; the index reaches block ${state.head}`;
}

/** @param what start of the error text @throws ApiProblem indexing if the index lacks a block */
export function assertCovered(deps: CoverageDeps, state: ChainState, { from, to }: BlockRange, what: string): void {
  const { gaps } = getCoverage(deps, state, from, to);
  const [gap] = gaps;
  if (gap) throw new ApiProblem('indexing', `${what}: ${describeGap(state, gap)}`, { gaps });
}

/**
 * Returns whether all requested blocks have traces, and the traced ranges.
 * @param to undefined: the head of the list
 * @param pin snapshot in a cursor, which records whether earlier pages lacked traces
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
  const isKnown = from >= state.startBlock && Math.max(from, end) <= head;
  return { internal: isKnown && !pin?.lacksTraces && isTraced(ranges, state, from, end), internalRanges };
}

function describeIndexed({ startBlock, head }: ChainState): string {
  if (startBlock === 0) return `on the chain up to block ${head}`;
  return `in blocks ${startBlock} to ${head}; earlier blocks are not indexed here (START_BLOCK)`;
}

/** Returns the error for a missing object: not_found if the index is complete, else indexing. */
export function absent(deps: CoverageDeps, state: ChainState, what: string): ApiProblem {
  return (
    unproven(deps, state, what) ??
    new ApiProblem(
      'not_found',
      `${what} is not ${describeIndexed(state)}`,
      state.startBlock > 0 ? { indexedFrom: state.startBlock } : undefined,
    )
  );
}

export const describeSilence = ({ head }: ChainState) => `no node reports whether there are blocks after block ${head}`;

/** Returns the error for a missing object if a block that is not indexed can contain the object. */
export function unproven(deps: CoverageDeps, state: ChainState, what: string): ApiProblem | undefined {
  const { complete, gaps } = getCoverage(deps, state, state.startBlock);
  if (complete) return undefined;
  const [gap] = gaps;
  const reason = gap ? `the index is incomplete: ${describeGap(state, gap)}` : describeSilence(state);
  return new ApiProblem('indexing', `${what} was not found, but ${reason}`, { gaps });
}

/** @param what requested values that need all blocks @throws ApiProblem bad_query if the index begins after block 0 */
export function assertFirstBlocks({ startBlock }: ChainState, what: string): void {
  if (startBlock > 0)
    throw new ApiProblem(
      'bad_query',
      `blocks before block ${startBlock} are not indexed (START_BLOCK), so ${what} are unknown`,
    );
}
