/** A transaction's columns as a reply. */
import { z } from 'zod';
import { Count, HexAddress, HexData, HexHash, IsoTime, UnixSeconds, Wei } from '../../schema/primitives.ts';
import { isoTime } from '../history-row.ts';

export const Transaction = z
  .strictObject({
    chainId: Count,
    txHash: HexHash,
    blockNumber: Count,
    blockHash: HexHash,
    txIndex: Count,
    timestamp: UnixSeconds,
    datetime: IsoTime,
    type: Count,
    from: HexAddress,
    to: HexAddress.nullable(),
    contractCreated: HexAddress.nullable(),
    value: Wei,
    nonce: Count,
    gasLimit: Count,
    gasUsed: Count,
    gasPrice: Wei,
    maxFeePerGas: Wei.nullable(),
    maxPriorityFeePerGas: Wei.nullable(),
    fee: Wei,
    status: z.union([z.literal(0), z.literal(1)]).nullable(),
    methodId: HexData,
    logCount: Count,
    confirmations: Count,
    finality: z.enum(['final', 'unsettled']),
  })
  .meta({ id: 'Transaction' });

export interface TransactionRecord {
  block_number: string;
  tx_index: number;
  tx_hash: string;
  block_hash: string;
  time: number;
  type: number;
  from_hex: string;
  to_hex: string | null;
  contract_hex: string | null;
  value_wei: string;
  nonce: string;
  gas_limit: string;
  gas_used: string;
  cumulative_gas_used: string;
  gas_price_wei: string;
  max_fee_wei: string | null;
  max_priority_fee_wei: string | null;
  fee_wei: string;
  status: 0 | 1 | null;
  method_id: string;
  log_count: number;
  final: number;
}

export function transactionOf(chainId: number, head: number, row: TransactionRecord): z.input<typeof Transaction> {
  return {
    chainId,
    txHash: row.tx_hash,
    blockNumber: Number(row.block_number),
    blockHash: row.block_hash,
    txIndex: row.tx_index,
    timestamp: row.time,
    datetime: isoTime(row.time),
    type: row.type,
    from: row.from_hex,
    to: row.to_hex,
    contractCreated: row.contract_hex,
    value: row.value_wei,
    nonce: Number(row.nonce),
    gasLimit: Number(row.gas_limit),
    gasUsed: Number(row.gas_used),
    gasPrice: row.gas_price_wei,
    maxFeePerGas: row.max_fee_wei,
    maxPriorityFeePerGas: row.max_priority_fee_wei,
    fee: row.fee_wei,
    status: row.status,
    methodId: row.method_id.length === 10 ? row.method_id : '0x',
    logCount: row.log_count,
    confirmations: head - Number(row.block_number),
    finality: row.final === 1 ? 'final' : 'unsettled',
  };
}
