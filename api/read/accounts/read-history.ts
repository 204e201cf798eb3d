import { hexDigits } from '#chain/codec/hex.ts';
import { type ChainState, finalizedPart, snapshotParameters } from '#sql/snapshot.ts';
import type { UnfinalizedReader } from '../../tail/unfinalized.ts';
import type { Position } from '../../terms/cursor.ts';
import type { HistoryRecord } from '../../terms/records.ts';
import type { BlockWindow } from '../chain/block-window.ts';
import type { SortOrder } from '../chain/paging.ts';
import { planScan, type Scan, type ScanDeps } from '../chain/scan-budget.ts';
import type { StoreDeps } from '../reader-deps.ts';
import { type HistoryShape, namedRoles, roleMasks } from './history-shape.ts';
import { readWithInternal } from './internal-calls/internal-history.ts';
import { type TracedReader, tracedWithin } from './internal-calls/traced-reader.ts';

export interface HistoryDeps extends StoreDeps {
  readonly unfinalized: UnfinalizedReader;
  readonly traced: TracedReader;
}

type Read = (
  deps: HistoryDeps,
  state: ChainState,
  shape: HistoryShape,
  after: Position,
  limit: number,
) => Promise<HistoryRecord[]>;

/** Returns at most `limit` sorted rows, which can contain duplicates. */
export const readHistory: Read = async (deps, state, shape, after, limit) => {
  const roleRows = readRoles(deps, state, shape, after, limit);
  if ((shape.mask & roleMasks.internal) === 0) return roleRows;
  const [rows, ranges] = await Promise.all([roleRows, deps.traced.ranges(state)]);
  if (tracedWithin(ranges, state, shape.fromBlock, shape.toBlock).length === 0) return rows;
  const readNamed = async (at: Position, count: number) =>
    at === after && count === limit ? rows : readRoles(deps, state, shape, at, count);
  return readWithInternal(deps, state, shape, readNamed, after, limit);
};

const readRoles: Read = async (deps, state, shape, after, limit) => {
  const { address, order, toBlock } = shape;
  if (toBlock <= state.finalized) return readStored(deps, finalizedPart(state), shape, after, limit);
  const unfinalized = await deps.unfinalized.historyOf(state, address);
  if (unfinalized === undefined) return readStored(deps, state, shape, after, limit);
  const live = unfinalized.filter((row) => isSelected(row, shape, after));
  const finalized = finalizedPart(state);
  if (order === 'desc') {
    const newest = live.reverse().slice(0, limit);
    return newest.length === limit
      ? newest
      : [...newest, ...(await readStored(deps, finalized, shape, after, limit - newest.length))];
  }
  const rows = await readStored(deps, finalized, shape, after, limit);
  return [...rows, ...live.slice(0, limit - rows.length)];
};

function isSelected(row: HistoryRecord, shape: HistoryShape, after: Position) {
  const { fromBlock, toBlock, order, mask } = shape;
  const block = Number(row.block_number);
  const distance = block - after.block || row.tx_index - after.index;
  return (
    block >= fromBlock &&
    block <= toBlock &&
    (order === 'desc' ? distance < 0 : distance > 0) &&
    (row.roles & mask & namedRoles) !== 0 &&
    matches(row, shape)
  );
}

function matches(row: HistoryRecord, { minValue, method, counterparty }: HistoryShape): boolean {
  return (
    (minValue === undefined || BigInt(row.value) >= BigInt(minValue)) &&
    (method === undefined || row.method_id === `0x${method}`) &&
    (counterparty === undefined || row.from === counterparty || row.to === counterparty)
  );
}

const history = { asc: 'history_asc', desc: 'history_desc' } as const;
const scanned = { asc: 'scan_history_asc', desc: 'scan_history_desc' } as const;

const readStored: Read = async (deps, state, shape, after, limit) => {
  const { address, fromBlock, toBlock, order, mask, minValue, method, counterparty } = shape;
  const upTo = Math.min(toBlock, state.head);
  if (fromBlock > upTo) return [];
  const conditions = {
    ...(minValue === undefined ? {} : { min_value: minValue }),
    ...(method === undefined ? {} : { method }),
    ...(counterparty === undefined ? {} : { counterparty: hexDigits(counterparty) }),
  };
  const parameters = {
    ...conditions,
    ...snapshotParameters(state),
    address: hexDigits(address),
    from_block: fromBlock,
    to_block: upTo,
    role_mask: mask & namedRoles,
    at_block: after.block,
    at_index: after.index,
    limit,
  };
  return deps.database.readBinary(history[order], parameters, Object.keys(conditions) as (keyof typeof conditions)[]);
};

/** Limits the rows that a page scans if no index fits its filters. */
export function planHistoryScan(
  deps: ScanDeps,
  state: ChainState,
  { address, order, window }: { address: string; order: SortOrder; window: BlockWindow },
  after: Position,
): Promise<Scan> {
  return planScan(deps, state, { order, window }, after, (bounds) =>
    deps.database.read(scanned[order], { ...bounds, address: hexDigits(address) }),
  );
}
