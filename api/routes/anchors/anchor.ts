import { z } from 'zod';
import { isoTime } from '#chain/codec/iso-time.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { countConfirmations, Finality, getFinality } from '../../read/chain/finality.ts';
import { Count, HexAddress, HexData, HexHash, IsoTime, UnixSeconds, Wei } from '../../terms/primitives.ts';
import type { BlockRecord } from '../../terms/records.ts';

export const Anchor = z
  .strictObject({
    chainId: Count,
    number: Count,
    hash: HexHash,
    parentHash: HexHash,
    timestamp: UnixSeconds,
    datetime: IsoTime,
    miner: HexAddress,
    gasLimit: Count,
    gasUsed: Count,
    gasUsedRatio: z.number(),
    baseFeePerGas: Wei.nullable(),
    size: Count,
    transactionCount: Count,
    logCount: Count,
    fees: Wei,
    burned: Wei,
    extraData: HexData,
    stateRoot: HexHash,
    transactionsRoot: HexHash,
    receiptsRoot: HexHash,
    uncleCount: Count,
    withdrawalCount: Count,
    confirmations: Count,
    finality: Finality,
    canonical: z.literal(true),
  })
  .meta({ id: 'Anchor' });

export function serializeAnchor(chainId: number, state: ChainState, row: BlockRecord): z.input<typeof Anchor> {
  const [gasLimit, gasUsed] = [Number(row.gas_limit), Number(row.gas_used)];
  return {
    chainId,
    number: Number(row.block_number),
    hash: row.block_hash,
    parentHash: row.parent_hash,
    timestamp: row.time,
    datetime: isoTime(row.time),
    miner: row.miner_hex,
    gasLimit,
    gasUsed,
    gasUsedRatio: gasLimit === 0 ? 0 : gasUsed / gasLimit,
    baseFeePerGas: row.base_fee,
    size: Number(row.size),
    transactionCount: row.transaction_count,
    logCount: row.log_count,
    fees: row.fees_wei,
    burned: row.burned_wei,
    extraData: row.extra,
    stateRoot: row.state_root_hex,
    transactionsRoot: row.transactions_root_hex,
    receiptsRoot: row.receipts_root_hex,
    uncleCount: row.uncle_count,
    withdrawalCount: row.withdrawal_count,
    confirmations: countConfirmations(state, Number(row.block_number)),
    finality: getFinality(state, Number(row.block_number)),
    canonical: true,
  };
}
