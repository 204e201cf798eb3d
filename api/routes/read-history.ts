/** Rows of an address's history behind a place: out of address_roles, and of internal calls where these are indexed. */
import { hexDigits } from '#chain/codec/hex.ts';
import { withConditions } from '#sql/conditions.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { Position } from '../cursor.ts';
import type { ApiDeps } from '../deps.ts';
import { readWithInternal } from '../internal-calls/internal-history.ts';
import { tracedWithin } from '../internal-calls/traced-reader.ts';
import type { BlockWindow } from './block-window.ts';
import type { HistoryRecord } from './history-row.ts';
import { type HistoryShape, namedRoles, roleMasks } from './history-shape.ts';
import type { SortOrder } from './paging.ts';
import { planScan, type Scan, type ScanDeps } from './scan-budget.ts';

/** @returns at most `limit` rows in order, behind `after`; a row may come twice, see readDistinct */
export async function readHistory(
  deps: ReadDeps,
  state: ChainState,
  shape: HistoryShape,
  after: Position,
  limit: number,
): Promise<HistoryRecord[]> {
  const first = readRoles(deps, state, shape, after, limit);
  if ((shape.mask & roleMasks.internal) === 0) return first;
  const [rows, ranges] = await Promise.all([first, deps.traced.ranges(state)]);
  if (tracedWithin(ranges, state, shape.fromBlock, shape.toBlock).length === 0) return rows;
  const readNamed = async (at: Position, count: number) =>
    at === after && count === limit ? rows : readRoles(deps, state, shape, at, count);
  return readWithInternal(deps, state, shape, readNamed, after, limit);
}

type ReadDeps = Pick<ApiDeps, 'database' | 'statements' | 'unsettled' | 'traced'>;

async function readRoles(
  deps: ReadDeps,
  state: ChainState,
  { address, fromBlock, toBlock, order, mask, minValue }: HistoryShape,
  after: Position,
  limit: number,
): Promise<HistoryRecord[]> {
  const reach = toBlock > state.finalized ? await deps.unsettled.stateForAddress(state, address) : state;
  const statement = getStatement(deps.statements, `history_${order}`);
  const asked = withConditions(statement, minValue === undefined ? [] : ['min_value']);
  return deps.database.readBinary<HistoryRecord>(asked, {
    ...(minValue === undefined ? {} : { min_value: minValue }),
    ...snapshotParameters(reach),
    ...{
      address: hexDigits(address),
      from_block: fromBlock,
      to_block: Math.min(toBlock, reach.head),
      role_mask: mask & namedRoles,
    },
    ...{ at_block: after.block, at_index: after.index, limit },
  });
}

/** How much of a history one page looks through that has a condition without a key. */
export function planHistoryScan(
  deps: ScanDeps,
  state: ChainState,
  { address, order, window }: { address: string; order: SortOrder; window: BlockWindow },
  after: Position,
): Promise<Scan> {
  return planScan(deps, order, window, `scan_history_${order}`, {
    ...snapshotParameters(state),
    ...{ address: hexDigits(address), from_block: window.fromBlock, to_block: window.toBlock },
    ...{ at_block: after.block, at_index: after.index },
  });
}
