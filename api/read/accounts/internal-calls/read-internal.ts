import { hexDigits } from '#chain/codec/hex.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import type { Position } from '../../../terms/cursor.ts';
import type { BlockWindow } from '../../chain/block-window.ts';
import type { SortOrder } from '../../chain/paging.ts';
import { planScan, type Scan, type ScanDeps } from '../../chain/scan-budget.ts';
import type { StoreDeps } from '../../reader-deps.ts';

export type InternalRecord = BinaryRowOf<'internal_of_transaction'>;

type InternalRead = (
  window: BlockWindow & { readonly order: SortOrder },
  after: Position,
  count: number,
) => Promise<readonly InternalRecord[]>;

export interface InternalSelection {
  readonly address: string;
  readonly side?: 'from' | 'to' | undefined;
  /** Other side of the call. */
  readonly counterparty?: string | undefined;
  /** Minimum value, wei. */
  readonly minValue?: string | undefined;
}

export const internalCallPosition = (row: InternalRecord): Position => ({
  block: Number(row.block_number),
  index: row.tx_index,
  part: row.call_index,
});

const ofAll = { asc: 'internal_calls_asc', desc: 'internal_calls_desc' } as const;
const ofAddress = { asc: 'internal_of_address_asc', desc: 'internal_of_address_desc' } as const;
const scanOfAddress = { asc: 'scan_internal_of_address_asc', desc: 'scan_internal_of_address_desc' } as const;

/** Returns a function that reads internal calls, of one address if `selection` is set. */
export function internalReader(deps: StoreDeps, state: ChainState, selection?: InternalSelection): InternalRead {
  return ({ order, fromBlock, toBlock }, { block, index, part = 0 }, limit) => {
    const window = { from_block: fromBlock, to_block: toBlock, at_block: block, at_index: index, at_part: part, limit };
    const parameters = { ...snapshotParameters(state), ...window };
    if (!selection) return deps.database.readBinary(ofAll[order], parameters);
    const { address, side = '', counterparty, minValue = '0' } = selection;
    return deps.database.readBinary(ofAddress[order], {
      ...parameters,
      address: hexDigits(address),
      side,
      counterparty: counterparty ? hexDigits(counterparty) : '',
      min_value: minValue,
    });
  };
}

export async function planInternalScan(
  deps: ScanDeps,
  state: ChainState,
  { address, ...filters }: InternalSelection,
  order: SortOrder,
  window: BlockWindow,
  after: Position,
): Promise<Scan> {
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
  if (!isFiltered) return { window, stoppedAt: undefined };
  return planScan(deps, state, { order, window }, after, (bounds) =>
    deps.database.read(scanOfAddress[order], { ...bounds, address: hexDigits(address) }),
  );
}

/** Returns the calls in execution order. */
export function readInternalOfTransaction(
  { database }: StoreDeps,
  state: ChainState,
  { block_number, tx_index }: Pick<InternalRecord, 'block_number' | 'tx_index'>,
): Promise<InternalRecord[]> {
  return database.readBinary('internal_of_transaction', { ...snapshotParameters(state), block_number, tx_index });
}
