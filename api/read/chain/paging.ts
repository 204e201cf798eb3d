import { hexDigits } from '#chain/codec/hex.ts';
import { getLast } from '#runtime/lists.ts';
import { type ChainState, finalThrough, repairedSince, snapshotParameters } from '#sql/snapshot.ts';
import {
  type CursorKey,
  type CursorScope,
  decodeCursor,
  encodeCursor,
  finalizedHash,
  keyPosition,
  type Pin,
  type Position,
  positionKey,
} from '../../terms/cursor.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { StoreDeps } from '../reader-deps.ts';
import { hiddenIn } from './block-ranges.ts';

export const maxBlock = Number.MAX_SAFE_INTEGER;
export const maxIndex = 4_294_967_295;
export type SortOrder = 'asc' | 'desc';

export interface PageQuery {
  readonly order: SortOrder;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface PageStart {
  readonly after: Position;
  readonly pin?: Pin | undefined;
}

export function readStart(scope: CursorScope, { order, cursor }: PageQuery): PageStart {
  if (cursor !== undefined) {
    const { key, pin } = decodeCursor(scope, cursor);
    return { after: keyPosition(key), pin };
  }
  return {
    after:
      order === 'desc' ? { block: maxBlock, index: maxIndex, part: maxIndex } : { block: 0, index: -1, part: maxIndex },
  };
}

/**
 * Returns the newest block (head) that all pages of a list may show. A reorg never invalidates a cursor whose blocks
 * were all finalized at the first page.
 * @throws ApiProblem snapshot_invalidated with the last common block after a reorg; indexing if the head is missing
 */
export async function pinnedHead(
  deps: StoreDeps,
  state: ChainState,
  pin: Pin | undefined,
  toBlock = maxBlock,
): Promise<Pin> {
  if (!pin) return newPin(state, toBlock);
  if (pin.head > state.head && pin.reorgGeneration === state.reorgGeneration)
    throw new ApiProblem(
      'indexing',
      `block ${pin.head}, the head of this cursor, is not indexed on this server yet; try again`,
    );
  if (pin.reorgGeneration === state.reorgGeneration) return pin;
  assertUnrepaired(state, pin);
  if (pin.hash === finalizedHash && pin.head <= finalThrough(state))
    return { ...pin, reorgGeneration: state.reorgGeneration };
  const [row] = await deps.database.read('pinned_block', {
    ...snapshotParameters(state),
    block_number: pin.head,
    hash: hexDigits(pin.hash),
  });
  if (row?.hash === pin.hash) return { ...pin, reorgGeneration: state.reorgGeneration };
  // a reorg hides its blocks before it is recorded, and its fork may be lower than that of recorded reorgs
  const isPending = row?.hash === '' && row.fork_block === null && pin.head > state.head;
  if (isPending || state.reorgIntent !== '')
    throw new ApiProblem(
      'indexing',
      `block ${pin.head}, the head of this cursor, is being indexed again after a reorg; try again`,
    );
  const forkBlock = row?.fork_block == null ? null : Number(row.fork_block);
  throw invalidated(pin, `a reorg replaced block ${pin.head}, the head of this cursor`, forkBlock);
}

function newPin(state: ChainState, toBlock: number): Pin {
  const { head, headHash, reorgGeneration } = state;
  const isFinal = toBlock <= finalThrough(state);
  return isFinal ? { head: toBlock, hash: finalizedHash, reorgGeneration } : { head, hash: headHash, reorgGeneration };
}

/**
 * Asserts that the head of a cursor is not hidden, and that no rows up to the head were repaired since the first page.
 * @throws ApiProblem indexing, snapshot_invalidated
 */
function assertUnrepaired(state: ChainState, pin: Pin): void {
  if (pin.hash !== finalizedHash && hiddenIn(state)(pin.head)) throw beingReplaced(pin.head);
  const repaired = repairedSince(state, pin.reorgGeneration);
  if (repaired === undefined || repaired > pin.head) return;
  throw invalidated(
    pin,
    `rows from block ${repaired} on were corrected since`,
    repaired > 0 ? repaired - 1 : null,
    true,
  );
}

/** Same as assertUnrepaired(), for a list whose last block was final at the first page. */
export const assertFinalRowsKept = (state: ChainState, block: number, reorgGeneration: number): void =>
  assertUnrepaired(state, { head: block, hash: finalizedHash, reorgGeneration });

function invalidated({ head, hash }: Pin, reason: string, forkBlock: number | null, isRepair = false): ApiProblem {
  const remedy = forkBlock === null ? 'restart from the first page' : `read the rows above block ${forkBlock} again`;
  return new ApiProblem('snapshot_invalidated', `${reason}; ${remedy}`, {
    forkBlock,
    pinnedBlock: head,
    pinnedHash: hash,
    isRepair,
  });
}

export const beingReplaced = (number: number) =>
  new ApiProblem('indexing', `block ${number} is being replaced or is not indexed yet: try again`);

/**
 * Reads sorted rows and removes duplicates. SQL that removes duplicates can't stop reading at the limit.
 * @param read returns fewer than `limit` rows only at the end of the list
 */
export async function readDistinct<T>(
  read: (after: Position, limit: number) => Promise<readonly T[]>,
  start: Position,
  wanted: number,
  position: (row: T) => Position,
): Promise<T[]> {
  const rows: T[] = [];
  let last = start;
  for (;;) {
    const requested = wanted - rows.length;
    const more = await read(last, requested);
    for (const row of more) {
      const at = position(row);
      const isOther = at.block !== last.block || at.index !== last.index || (at.part ?? 0) !== (last.part ?? 0);
      if (isOther) rows.push(row);
      last = at;
    }
    if (more.length < requested || rows.length === wanted) return rows;
  }
}

/** Makes a page. A row beyond `limit` means that another page follows. */
export function makePage<T>(
  rows: readonly T[],
  scope: CursorScope,
  limit: number,
  position: (row: T) => Position,
  pin?: Pin,
) {
  return makeKeyedPage(rows, scope, limit, (row) => positionKey(position(row)), pin);
}

/** Makes a page of rows that are not sorted by block. */
export function makeKeyedPage<T>(
  rows: readonly T[],
  scope: CursorScope,
  limit: number,
  key: (row: T) => CursorKey,
  pin?: Pin,
) {
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return { page, hasMore, nextCursor: hasMore ? encodeCursor(scope, key(getLast(page)), pin) : null };
}

export interface Placed {
  readonly block_number: string;
  readonly tx_index: number;
}

export const transactionKey = ({ block_number, tx_index }: Placed) => `${block_number}:${tx_index}`;

export function getPosition(row: Placed): Position {
  return { block: Number(row.block_number), index: row.tx_index };
}

/** @returns positive if `place` follows `after` in the order */
export function distanceTo(place: Position, after: Position, order: SortOrder): number {
  const distance = place.block - after.block || place.index - after.index || (place.part ?? 0) - (after.part ?? 0);
  return order === 'asc' ? distance : -distance;
}

/** @throws ApiProblem bad_query */
export function assertWindow(from: number, to: number): void {
  if (from > to) throw new ApiProblem('bad_query', `from must not be above to, got from ${from} and to ${to}`);
}
