import { z } from 'zod';
import { isoTime } from '#chain/codec/iso-time.ts';
import { getFirst } from '#runtime/lists.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { countConfirmations } from '../read/chain/finality.ts';
import { type MethodNames, nameMethod } from '../read/contracts/signatures/signatures.ts';
import {
  Count,
  HexAddress,
  HexData,
  HexHash,
  IsoTime,
  MethodName,
  ReceiptStatus,
  UnixSeconds,
  Wei,
} from '../terms/primitives.ts';
import { type HistoryRecord, receiptStatus } from '../terms/records.ts';

/** Role of the account. internal: only in internal transfers or creations, known in traced blocks. */
const Role = z.enum(['from', 'to', 'log', 'internal']);

export const HistoryRow = z
  .strictObject({
    chainId: Count,
    txHash: HexHash,
    blockNumber: Count,
    blockHash: HexHash,
    txIndex: Count,
    timestamp: UnixSeconds,
    datetime: IsoTime,
    from: HexAddress,
    to: HexAddress.nullable(),
    contractCreated: HexAddress.nullable(),
    value: Wei,
    nonce: Count,
    gas: Count.meta({ description: 'Gas used; same value as gasUsed, for clients that expect the name gas' }),
    gasLimit: Count,
    gasUsed: Count,
    gasPrice: Wei,
    fee: Wei,
    status: ReceiptStatus.nullable(),
    methodId: HexData,
    methodName: MethodName,
    type: Count,
    role: Role,
    roles: z.array(Role),
    confirmations: Count,
  })
  .meta({ id: 'HistoryRow' });

const roleNames = ['from', 'to', 'log', 'internal'] as const;

/** Shared by two routes, so that both return equal bytes for a history row. */
export function historyRow(
  chainId: number,
  state: ChainState,
  row: HistoryRecord,
  methodNames: MethodNames,
): z.input<typeof HistoryRow> {
  const roles = roleNames.filter((_, bit) => row.roles & (1 << bit));
  return {
    chainId,
    txHash: row.tx_hash,
    blockNumber: Number(row.block_number),
    blockHash: row.block_hash,
    txIndex: row.tx_index,
    timestamp: row.timestamp,
    datetime: isoTime(row.timestamp),
    from: row.from,
    to: row.to,
    contractCreated: row.status === 0 ? null : row.contract_address,
    value: row.value,
    nonce: Number(row.nonce),
    gas: Number(row.gas_used),
    gasLimit: Number(row.gas_limit),
    gasUsed: Number(row.gas_used),
    gasPrice: row.gas_price,
    fee: row.fee,
    status: receiptStatus(row),
    methodId: row.method_id,
    methodName: nameMethod(methodNames, row.to, row.method_id),
    type: row.type,
    role: getFirst(roles),
    roles,
    confirmations: countConfirmations(state, Number(row.block_number)),
  };
}
