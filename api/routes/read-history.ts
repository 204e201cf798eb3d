/** Rows of an address's history behind a place: the one reader of address_roles. */
import { hexDigits } from '#chain/codec/hex.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { Position } from '../cursor.ts';
import type { ApiDeps } from '../deps.ts';
import type { HistoryRecord } from './history-row.ts';
import type { SortOrder } from './paging.ts';

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
}

/** @returns at most `limit` rows in order, behind `after`; a row may come twice, see readDistinct */
export async function readHistory(
  deps: Pick<ApiDeps, 'database' | 'statements' | 'unsettled'>,
  state: ChainState,
  { address, fromBlock, toBlock, order, mask }: HistoryShape,
  after: Position,
  limit: number,
): Promise<HistoryRecord[]> {
  const reach = toBlock > state.finalized ? await deps.unsettled.stateForAddress(state, address) : state;
  return deps.database.readBinary<HistoryRecord>(getStatement(deps.statements, `history_${order}`), {
    ...snapshotParameters(reach),
    ...{ address: hexDigits(address), from_block: fromBlock, to_block: Math.min(toBlock, reach.head), role_mask: mask },
    ...{ at_block: after.block, at_index: after.index, limit },
  });
}
