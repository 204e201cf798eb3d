import { z } from 'zod';
import { isoTime } from '#chain/codec/iso-time.ts';
import { tokenStandards } from '#chain/codec/token-abi.ts';
import { Count, HexAddress, IsoTime, UnixSeconds } from '../../terms/primitives.ts';
import type { TokenRecord } from '../../terms/records.ts';

export const TokenStandardName = z.enum(tokenStandards);

export const Token = z
  .strictObject({
    chainId: Count,
    address: HexAddress,
    standard: TokenStandardName,
    name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the token, as returned by name(); null if the call fails' }),
    symbol: z.string().nullable(),
    decimals: Count.nullable().meta({
      description:
        'Decimals of the token, as returned by decimals(); null if the call fails, because no default is assumed',
    }),
    totalSupply: z.string().nullable().meta({
      description: 'Total supply at the block supplyBlock, in the smallest unit of the token; null if unknown',
    }),
    supplyBlock: Count.nullable(),
    holders: Count,
    transfers: Count,
    firstBlock: Count,
    firstSeen: UnixSeconds,
    firstSeenDatetime: IsoTime,
    lastBlock: Count,
  })
  .meta({ id: 'Token' });

export const ActiveToken = Token.extend({
  transfers24h: Count.meta({ description: 'Number of transfers in the 24 hours before the newest block' }),
}).meta({ id: 'ActiveToken' });

export function toToken(chainId: number, row: TokenRecord): z.input<typeof Token> {
  return {
    chainId,
    address: row.address,
    standard: row.standard,
    name: row.name,
    symbol: row.symbol,
    decimals: row.decimals,
    totalSupply: row.supply,
    supplyBlock: row.supply === null ? null : Number(row.checked_block),
    holders: Number(row.holders),
    transfers: Number(row.transfer_count),
    firstBlock: Number(row.first_block),
    firstSeen: row.first_seen,
    firstSeenDatetime: isoTime(row.first_seen),
    lastBlock: Number(row.last_block),
  };
}
