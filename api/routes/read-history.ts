/** Rows of an address's history behind a place: the one reader of address_roles. */
import { hexDigits } from '#chain/codec/hex.ts';
import { withConditions } from '#sql/conditions.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { Position } from '../cursor.ts';
import type { ApiDeps } from '../deps.ts';
import type { BlockWindow } from './block-window.ts';
import type { HistoryRecord } from './history-row.ts';
import type { SortOrder } from './paging.ts';
import { planScan, type Scan, type ScanDeps } from './scan-budget.ts';

export const roleMasks = { from: 1, to: 2, log: 4 } as const;
export const allRoles = 7;

export interface HistoryShape {
  readonly address: string;
  /** Both inclusive. */
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly order: SortOrder;
  /** Roles that count, as bits of `roleMasks`. */
  readonly mask: number;
  /** Least value, wei, decimal; undefined: any. */
  readonly minValue?: string | undefined;
}

/** @returns at most `limit` rows in order, behind `after`; a row may come twice, see readDistinct */
export async function readHistory(
  deps: Pick<ApiDeps, 'database' | 'statements' | 'unsettled'>,
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
    ...{ address: hexDigits(address), from_block: fromBlock, to_block: Math.min(toBlock, reach.head), role_mask: mask },
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
