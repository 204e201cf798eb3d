import { z } from 'zod';
import { zeroAddress } from '#chain/codec/hex.ts';
import { isoTime } from '#chain/codec/iso-time.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { countConfirmations } from '../../read/chain/finality.ts';
import { Count, HexAddress, HexHash, IsoTime, UnixSeconds } from '../../terms/primitives.ts';
import type { TransferRecord } from '../../terms/records.ts';
import { TokenStandardName } from './token.ts';

export const Transfer = z
  .strictObject({
    chainId: Count,
    id: z
      .string()
      .meta({ description: 'Unique id of the transfer: <txHash>:<logIndex>, for ERC-1155 followed by :<batchIndex>' }),
    txHash: HexHash,
    blockNumber: Count,
    blockHash: HexHash,
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
    value: z.string().meta({ description: 'Transferred amount in the smallest unit of the token; 1 for ERC-721' }),
    confirmations: Count,
  })
  .meta({ id: 'Transfer' });

export function serializeTransfer(
  chainId: number,
  state: ChainState,
  row: TransferRecord,
  blockHash: string,
): z.input<typeof Transfer> {
  const part = row.standard === 'erc1155' ? `:${row.batch_index}` : '';
  return {
    chainId,
    id: `${row.tx_hash}:${row.log_index}${part}`,
    txHash: row.tx_hash,
    blockNumber: Number(row.block_number),
    blockHash,
    txIndex: row.tx_index,
    logIndex: row.log_index,
    batchIndex: row.batch_index,
    timestamp: row.timestamp,
    datetime: isoTime(row.timestamp),
    token: row.token,
    standard: row.standard,
    kind: row.from === zeroAddress ? 'mint' : row.to === zeroAddress ? 'burn' : 'transfer',
    from: row.from,
    to: row.to,
    tokenId: row.standard === 'erc20' ? null : row.token_id,
    value: row.value,
    confirmations: countConfirmations(state, Number(row.block_number)),
  };
}
