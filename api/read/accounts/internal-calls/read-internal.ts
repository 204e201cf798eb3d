/** Readers of internal calls: by address, by transaction, by blocks. */

import { hexDigits } from '#chain/codec/hex.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { StatementName } from '#sql/statements.gen.ts';
import { getStatement } from '#sql/statements.ts';
import type { Position } from '../../../terms/cursor.ts';
import type { BlockWindow } from '../../chain/block-window.ts';
import type { SortOrder } from '../../chain/paging.ts';
import type { StoreDeps } from '../../reader-deps.ts';

/** A row of the statements internal_of_address, internal_calls and internal_of_transaction. */
export interface InternalRecord {
  readonly block_number: string;
  readonly tx_index: number;
  readonly call_index: number;
  readonly tx_hash: string;
  readonly timestamp: number;
  readonly type: 'call' | 'create' | 'create2' | 'selfdestruct';
  readonly from: string;
  readonly to: string | null;
  readonly value: string;
  readonly gas: string;
  readonly gas_used: string;
  /** As hex of its text, like `error`. */
  readonly trace_id: string;
  readonly error: string;
}

/** At most `count` calls of the blocks of a window, behind a place. */
type InternalRead = (
  window: BlockWindow & { readonly order: SortOrder },
  after: Position,
  count: number,
) => Promise<readonly InternalRecord[]>;

/** Calls of an account: all, those on one side, or those with one counterparty on the other side. */
export interface InternalSelection {
  readonly address: string;
  readonly side?: 'from' | 'to';
  readonly counterparty?: string | undefined;
}

export const internalPlace = (row: InternalRecord): Position => ({
  block: Number(row.block_number),
  index: row.tx_index,
  part: row.call_index,
});

/** Text of a column that comes as bytes. */
export const textOf = (hex: string): string => Buffer.from(hex.slice(2), 'hex').toString();

const ofAll = { asc: 'internal_calls_asc', desc: 'internal_calls_desc' } as const;
const ofAddress = { asc: 'internal_of_address_asc', desc: 'internal_of_address_desc' } as const;

/** @param selection absent: of all accounts */
export function internalReader(deps: StoreDeps, state: ChainState, selection?: InternalSelection): InternalRead {
  return ({ order, fromBlock, toBlock }, { block, index, part = 0 }, limit) => {
    const window = { from_block: fromBlock, to_block: toBlock, at_block: block, at_index: index, at_part: part, limit };
    const parameters = { ...snapshotParameters(state), ...window };
    const read = (names: Readonly<Record<SortOrder, StatementName>>, more: Record<string, string> = {}) =>
      deps.database.readBinary<InternalRecord>(getStatement(deps.statements, names[order]), {
        ...parameters,
        ...more,
      });
    if (!selection) return read(ofAll);
    const { address, side = '', counterparty } = selection;
    return read(ofAddress, {
      address: hexDigits(address),
      side,
      counterparty: counterparty ? hexDigits(counterparty) : '',
    });
  };
}

/** In the order of execution. */
export function readInternalOf(
  { database, statements }: StoreDeps,
  state: ChainState,
  { block_number, tx_index }: Pick<InternalRecord, 'block_number' | 'tx_index'>,
): Promise<InternalRecord[]> {
  return database.readBinary<InternalRecord>(getStatement(statements, 'internal_of_transaction'), {
    ...snapshotParameters(state),
    block_number,
    tx_index,
  });
}
