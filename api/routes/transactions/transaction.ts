import { z } from 'zod';
import { isoTime } from '#chain/codec/iso-time.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { countConfirmations, Finality, getFinality } from '../../read/chain/finality.ts';
import { type MethodNames, nameMethod } from '../../read/contracts/signatures/signatures.ts';
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
} from '../../terms/primitives.ts';
import { receiptStatus, type TransactionRecord } from '../../terms/records.ts';

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
    status: ReceiptStatus.nullable(),
    methodId: HexData,
    methodName: MethodName,
    logCount: Count,
    confirmations: Count,
    finality: Finality,
  })
  .meta({ id: 'Transaction' });

export function toTransaction(
  chainId: number,
  state: ChainState,
  row: TransactionRecord,
  methodNames: MethodNames,
): z.input<typeof Transaction> {
  const methodId = row.method_id.length === 10 ? row.method_id : '0x';
  return {
    chainId,
    txHash: row.hash,
    blockNumber: Number(row.block_number),
    blockHash: row.block_hash,
    txIndex: row.tx_index,
    timestamp: row.timestamp,
    datetime: isoTime(row.timestamp),
    type: row.type,
    from: row.from,
    to: row.to,
    contractCreated: row.status === 0 ? null : row.contract_address, // some nodes report one for failed creations
    value: row.value,
    nonce: Number(row.nonce),
    gasLimit: Number(row.gas_limit),
    gasUsed: Number(row.gas_used),
    gasPrice: row.gas_price,
    maxFeePerGas: row.max_fee_per_gas,
    maxPriorityFeePerGas: row.max_priority_fee_per_gas,
    fee: row.fee,
    status: receiptStatus(row),
    methodId,
    methodName: nameMethod(methodNames, row.to, methodId),
    logCount: row.log_count,
    confirmations: countConfirmations(state, Number(row.block_number)),
    finality: getFinality(state, Number(row.block_number)),
  };
}
