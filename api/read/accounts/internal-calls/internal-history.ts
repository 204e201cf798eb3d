/**
 * Merges internal calls into account history. The table address_roles lacks them, because a block may be traced much
 * later than indexed.
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

/** Returns at most `limit` sorted rows, without duplicates. */
export async function readWithInternal(
  deps: StoreDeps,
  state: ChainState,
  shape: HistoryShape,
  readNamed: ReadRows,
  after: Position,
  limit: number,
): Promise<HistoryRecord[]> {
  const readInternal = (at: Position, count: number) => readInternalPositions(deps, state, shape, at, count);
  const isInternalOnly = (shape.mask & namedRoles) === 0;
  const [named, positions] = await Promise.all([
    isInternalOnly ? [] : readDistinct(readNamed, after, limit, placeOf),
    readDistinct<Placed>(readInternal, after, limit, placeOf),
  ]);
  const rows = new Map<string, HistoryRecord | Placed>(positions.map((position) => [keyOf(position), position]));
  for (const row of named) {
    const isInternal = rows.has(keyOf(row));
    rows.set(keyOf(row), isInternal ? { ...row, roles: row.roles | roleMasks.internal } : row);
  }
  const sign = shape.order === 'asc' ? 1 : -1;
  const page = [...rows.values()].sort((a, b) => sign * comparePositions(a, b)).slice(0, limit);
  const internalOnly = page.filter((row) => !('tx_hash' in row));
  const complete = await readHistoryAt(deps, state, shape, internalOnly);
  return page.map((row) =>
    'tx_hash' in row ? row : known(complete.get(keyOf(row)), 'the transaction of an internal call'),
  );
}

const internalStatements = { asc: 'internal_places_asc', desc: 'internal_places_desc' } as const;

function readInternalPositions(
  { database }: StoreDeps,
  state: ChainState,
  { address, fromBlock, toBlock, order }: HistoryShape,
  after: Position,
  limit: number,
): Promise<Placed[]> {
  return database.readBinary(internalStatements[order], {
    ...snapshotParameters(state),
    address: hexDigits(address),
    from_block: fromBlock,
    to_block: toBlock,
    at_block: after.block,
    at_index: after.index,
    limit,
  });
}

async function readHistoryAt(
  { database }: StoreDeps,
  state: ChainState,
  { address, mask }: HistoryShape,
  positions: readonly Placed[],
): Promise<Map<string, HistoryRecord>> {
  if (positions.length === 0) return new Map();
  const parameters = {
    ...snapshotParameters(state),
    blocks: positions.map((position) => Number(position.block_number)),
    indexes: positions.map((position) => position.tx_index),
  };
  const [rows, roles] = await Promise.all([
    database.readBinary('history_at', parameters),
    mask === allRoles ? [] : database.readBinary('roles_at', { ...parameters, address: hexDigits(address) }),
  ]);
  const named = new Map(roles.map((row) => [keyOf(row), row.roles]));
  return new Map(rows.map((row) => [keyOf(row), { ...row, roles: roleMasks.internal | (named.get(keyOf(row)) ?? 0) }]));
}

const keyOf = ({ block_number, tx_index }: Placed) => `${block_number}:${tx_index}`;

function comparePositions(a: Placed, b: Placed): number {
  return Number(a.block_number) - Number(b.block_number) || a.tx_index - b.tx_index;
}
