/** Keyset paging in both orders, over one state of the chain for all pages of a walk. */
import { hexDigits } from '#chain/codec/hex.ts';
import { lastOf } from '#runtime/lists.ts';
import { type ChainState, finalThrough, snapshotParameters } from '#sql/snapshot.ts';
import {
  type CursorKey,
  type CursorScope,
  decodeCursor,
  encodeCursor,
  keyPosition,
  type Pin,
  type Position,
  positionKey,
} from '../../terms/cursor.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { StoreDeps } from '../reader-deps.ts';

export const maxBlock = Number.MAX_SAFE_INTEGER;
export const maxIndex = 4_294_967_295;
export type SortOrder = 'asc' | 'desc';

interface PageQuery {
  readonly order: SortOrder;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Where a page begins: behind the last row of the cursor, or outside of everything. */
export interface PageStart {
  readonly after: Position;
  /** Of the walk that the cursor belongs to. */
  readonly pin?: Pin | undefined;
}

export function startOf(scope: CursorScope, { order, cursor }: PageQuery): PageStart {
  if (cursor !== undefined) {
    const { key, pin } = decodeCursor(scope, cursor);
    return { after: keyPosition(key), pin };
  }
  return {
    after:
      order === 'desc' ? { block: maxBlock, index: maxIndex, part: maxIndex } : { block: 0, index: -1, part: maxIndex },
  };
}

/** Stands for the hash of a block that cannot be replaced any more. */
const finalizedHash = `0x${'0'.repeat(64)}`;

/**
 * Head of the walk that a page belongs to: rows above it are left out, so that pages agree with each other. A walk whose
 * window was settled from its first page on outlives every reorg.
 * @param toBlock end of the window, where the request gives one
 * @throws ApiProblem snapshot_invalidated, with the fork block, when a reorg has replaced the head of the walk
 */
export async function pinnedHead(
  deps: StoreDeps,
  state: ChainState,
  pin: Pin | undefined,
  toBlock = maxBlock,
): Promise<Pin> {
  if (!pin && toBlock <= finalThrough(state))
    return { head: toBlock, hash: finalizedHash, reorgGeneration: state.reorgGeneration };
  if (!pin) return { head: state.head, hash: state.headHash, reorgGeneration: state.reorgGeneration };
  if (pin.head > state.head && pin.reorgGeneration === state.reorgGeneration)
    throw new ApiProblem('indexing', `block ${pin.head}, the end of this walk, is not seen here yet`);
  if (pin.reorgGeneration === state.reorgGeneration) return pin;
  if (pin.hash === finalizedHash && pin.head <= finalThrough(state))
    return { ...pin, reorgGeneration: state.reorgGeneration };
  const [row] = await deps.database.read('pinned_block', {
    ...snapshotParameters(state),
    block_number: pin.head,
    hash: hexDigits(pin.hash),
  });
  if (row?.hash === pin.hash) return { ...pin, reorgGeneration: state.reorgGeneration };
  if (row?.hash === '' && row.fork_block === null && pin.head > state.head)
    throw new ApiProblem('indexing', `block ${pin.head}, the head of this walk, is not indexed again yet`);
  const forkBlock = row?.fork_block == null ? null : Number(row.fork_block);
  throw new ApiProblem(
    'snapshot_invalidated',
    `a reorg replaced block ${pin.head}, up to which this walk was reading; ${forkBlock === null ? 'begin again' : `rows above block ${forkBlock} are to be read again`}`,
    { forkBlock, pinnedBlock: pin.head, pinnedHash: pin.hash },
  );
}

/**
 * Reads `wanted` distinct rows behind a place, or all there are. A row is there twice while a repeated insert is not
 * merged yet; taking doubles out here, not in SQL, lets the database stop reading at the limit.
 * @param read rows in order behind a place, exclusive; fewer than asked only at the end
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
    const asked = wanted - rows.length;
    const more = await read(last, asked);
    for (const row of more) {
      const at = position(row);
      const isOther = at.block !== last.block || at.index !== last.index || (at.part ?? 0) !== (last.part ?? 0);
      if (isOther) rows.push(row);
      last = at;
    }
    if (more.length < asked || rows.length === wanted) return rows;
  }
}

/**
 * Splits what was read with one row more than the page.
 * @param position of a row, for the next cursor
 */
export function pageOf<T>(
  rows: readonly T[],
  scope: CursorScope,
  limit: number,
  position: (row: T) => Position,
  pin?: Pin,
) {
  return keyedPageOf(rows, scope, limit, (row) => positionKey(position(row)), pin);
}

/** The same for lists in another order than that of the chain. */
export function keyedPageOf<T>(
  rows: readonly T[],
  scope: CursorScope,
  limit: number,
  key: (row: T) => CursorKey,
  pin?: Pin,
) {
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return { page, hasMore, nextCursor: hasMore ? encodeCursor(scope, key(lastOf(page)), pin) : null };
}

/** What a row says of its place. */
export interface Placed {
  readonly block_number: string;
  readonly tx_index: number;
}

export const placeKey = ({ block_number, tx_index }: Placed) => `${block_number}:${tx_index}`;

/** Place of a row that stands for a transaction. */
export function placeOf(row: Placed): Position {
  return { block: Number(row.block_number), index: row.tx_index };
}

/** @throws ApiProblem bad_query when the window is upside down */
export function assertWindow(from: number, to: number): void {
  if (from > to) throw new ApiProblem('bad_query', `from (${from}) is above to (${to}): from must not be above to`);
}
