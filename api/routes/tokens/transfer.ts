/** A token transfer's columns as a reply. */
import { z } from 'zod';
import type { Position } from '../../cursor.ts';
import { Count, HexAddress, HexHash, IsoTime, UnixSeconds } from '../../schema/primitives.ts';
import { isoTime } from '../history-row.ts';
import { TokenStandardName } from './token.ts';

export const Transfer = z
  .strictObject({
    chainId: Count,
    id: z
      .string()
      .meta({ description: 'txHash:logIndex, with :batchIndex in an ERC-1155 batch; once for each transfer' }),
    txHash: HexHash,
    blockNumber: Count,
    txIndex: Count,
    logIndex: Count,
    batchIndex: Count,
    timestamp: UnixSeconds,
    datetime: IsoTime,
    token: HexAddress,
    standard: TokenStandardName,
    kind: z.enum(['mint', 'burn', 'transfer']),
    from: HexAddress,
    to: HexAddress,
    tokenId: z.string().nullable(),
    value: z.string().meta({ description: 'Smallest unit; 1 for ERC-721' }),
    confirmations: Count,
  })
  .meta({ id: 'Transfer' });

export interface TransferRecord {
  block_number: string;
  log_index: number;
  batch_index: number;
  tx_index: number;
  hash: string;
  time: number;
  token_hex: string;
  standard_name: z.infer<typeof TokenStandardName>;
  from_hex: string;
  to_hex: string;
  id: string;
  amount: string;
}

const zeroAddress = `0x${'0'.repeat(40)}`;

export function transferOf(chainId: number, head: number, row: TransferRecord): z.input<typeof Transfer> {
  const part = row.standard_name === 'erc1155' ? `:${row.batch_index}` : '';
  return {
    chainId,
    id: `${row.hash}:${row.log_index}${part}`,
    txHash: row.hash,
    blockNumber: Number(row.block_number),
    ...{ txIndex: row.tx_index, logIndex: row.log_index, batchIndex: row.batch_index },
    ...{ timestamp: row.time, datetime: isoTime(row.time), token: row.token_hex, standard: row.standard_name },
    kind: row.from_hex === zeroAddress ? 'mint' : row.to_hex === zeroAddress ? 'burn' : 'transfer',
    ...{
      from: row.from_hex,
      to: row.to_hex,
      tokenId: row.standard_name === 'erc20' ? null : row.id,
      value: row.amount,
    },
    confirmations: head - Number(row.block_number),
  };
}

export function transferPlace(row: TransferRecord): Position {
  return { block: Number(row.block_number), index: row.log_index, part: row.batch_index };
}
