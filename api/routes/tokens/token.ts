/** A token's columns as a reply, and how it is looked up. */
import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { isoTime } from '#chain/codec/iso-time.ts';
import { type ChainState, eraParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { ApiDeps } from '../../deps.ts';
import { absent } from '../../freshness.ts';
import { Count, HexAddress, IsoTime, UnixSeconds } from '../../schema/primitives.ts';

export const TokenStandardName = z.enum(['erc20', 'erc721', 'erc1155']);

export const Token = z
  .strictObject({
    chainId: Count,
    address: HexAddress,
    standard: TokenStandardName,
    name: z.string().nullable().meta({ description: 'As the contract says; null where it does not say' }),
    symbol: z.string().nullable(),
    decimals: Count.nullable().meta({
      description: 'As the contract says; null where the call fails, never a default',
    }),
    totalSupply: z.string().nullable().meta({ description: 'Smallest unit, as of supplyBlock' }),
    supplyBlock: Count.nullable(),
    holders: Count,
    transfers: Count,
    firstBlock: Count,
    firstSeen: UnixSeconds,
    firstSeenDatetime: IsoTime,
    lastBlock: Count,
  })
  .meta({ id: 'Token' });

export interface TokenRecord {
  address: string;
  standard: z.infer<typeof TokenStandardName>;
  name: string | null;
  symbol: string | null;
  decimals: number | null;
  supply: string | null;
  checked_block: string;
  transfer_count: string;
  first_block: string;
  first_seen: number;
  last_block: string;
  holders: string;
}

export function tokenOf(chainId: number, row: TokenRecord): z.input<typeof Token> {
  return {
    ...{ chainId, address: row.address, standard: row.standard },
    ...{ name: row.name, symbol: row.symbol, decimals: row.decimals },
    totalSupply: row.supply,
    supplyBlock: row.supply === null ? null : Number(row.checked_block),
    ...{ holders: Number(row.holders), transfers: Number(row.transfer_count) },
    ...{ firstBlock: Number(row.first_block), firstSeen: row.first_seen, firstSeenDatetime: isoTime(row.first_seen) },
    lastBlock: Number(row.last_block),
  };
}

/** Read once a state. @returns undefined where the contract never emitted a transfer */
export function findToken(
  { database, statements, tokens }: Pick<ApiDeps, 'database' | 'statements' | 'tokens'>,
  state: ChainState,
  address: string,
): Promise<TokenRecord | undefined> {
  return tokens.of(address.toLowerCase(), state, async () => {
    const statement = getStatement(statements, 'token_by_address');
    const [row] = await database.read<TokenRecord>(statement, { ...eraParameters(state), token: hexDigits(address) });
    return row;
  });
}

/** @throws ApiProblem not_found, or indexing while the index is not complete */
export async function requireToken(deps: ApiDeps, state: ChainState, address: string): Promise<TokenRecord> {
  const row = await findToken(deps, state, address);
  if (!row) throw absent(deps, state, `token ${address}`);
  return row;
}
