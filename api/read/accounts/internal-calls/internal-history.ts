/**
 * Transactions that touch an account from within: an account that contracts pay, and that no transaction names, has a history
 * too. Merged into the rows of address_roles, which know nothing of traces, since these may come much later.
 */

import { hexDigits } from '#chain/codec/hex.ts';
import { known } from '#runtime/known.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { Position } from '../../../terms/cursor.ts';
import type { HistoryRecord } from '../../../terms/records.ts';
import { placeOf, readDistinct } from '../../chain/paging.ts';
import type { StoreDeps } from '../../reader-deps.ts';
import { allRoles, type HistoryShape, namedRoles, roleMasks } from '../history-shape.ts';

type Placed = Pick<HistoryRecord, 'block_number' | 'tx_index'>;
type ReadRows = (after: Position, limit: number) => Promise<HistoryRecord[]>;

/**
 * At most `limit` rows in order behind a place, each once.
 * @param readNamed rows of address_roles in the same order
 */
export async function readWithInternal(
  deps: StoreDeps,
  state: ChainState,
  shape: HistoryShape,
  readNamed: ReadRows,
  after: Position,
  limit: number,
): Promise<HistoryRecord[]> {
  const readPlaces = (at: Position, count: number) => readInternalPlaces(deps, state, shape, at, count);
  const isInternalOnly = (shape.mask & namedRoles) === 0;
  const [named, places] = await Promise.all([
    isInternalOnly ? [] : readDistinct(readNamed, after, limit, placeOf),
    readDistinct<Placed>(readPlaces, after, limit, placeOf),
  ]);
  const rows = new Map<string, HistoryRecord | Placed>(places.map((place) => [keyOf(place), place]));
  for (const row of named) {
    const isWithin = rows.has(keyOf(row));
    rows.set(keyOf(row), isWithin ? { ...row, roles: row.roles | roleMasks.internal } : row);
  }
  const sign = shape.order === 'asc' ? 1 : -1;
  const page = [...rows.values()].sort((a, b) => sign * comparePlaces(a, b)).slice(0, limit);
  const bare = page.filter((row) => !('tx_hash' in row));
  const whole = await readHistoryAt(deps, state, shape, bare);
  return page.map((row) => ('tx_hash' in row ? row : known(whole.get(keyOf(row)), 'the transaction of a place')));
}

const internalPlaces = { asc: 'internal_places_asc', desc: 'internal_places_desc' } as const;

function readInternalPlaces(
  { database }: StoreDeps,
  state: ChainState,
  { address, fromBlock, toBlock, order }: HistoryShape,
  after: Position,
  limit: number,
): Promise<Placed[]> {
  return database.readBinary(internalPlaces[order], {
    ...snapshotParameters(state),
    address: hexDigits(address),
    from_block: fromBlock,
    to_block: toBlock,
    at_block: after.block,
    at_index: after.index,
    limit,
  });
}

/** History rows of transactions in which the account has the role internal, by place. */
async function readHistoryAt(
  { database }: StoreDeps,
  state: ChainState,
  { address, mask }: HistoryShape,
  places: readonly Placed[],
): Promise<Map<string, HistoryRecord>> {
  if (places.length === 0) return new Map();
  const parameters = {
    ...snapshotParameters(state),
    blocks: places.map((place) => Number(place.block_number)),
    indexes: places.map((place) => place.tx_index),
  };
  const [rows, roles] = await Promise.all([
    database.readBinary('history_at', parameters),
    // with every role asked for, rows that have another one came from address_roles already
    mask === allRoles ? [] : database.readBinary('roles_at', { ...parameters, address: hexDigits(address) }),
  ]);
  const named = new Map(roles.map((row) => [keyOf(row), row.roles]));
  return new Map(rows.map((row) => [keyOf(row), { ...row, roles: roleMasks.internal | (named.get(keyOf(row)) ?? 0) }]));
}

const keyOf = ({ block_number, tx_index }: Placed) => `${block_number}:${tx_index}`;

function comparePlaces(a: Placed, b: Placed): number {
  return Number(a.block_number) - Number(b.block_number) || a.tx_index - b.tx_index;
}
