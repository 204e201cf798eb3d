/** A token's columns as a reply, and how it is looked up. */
import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { isoTime } from '#chain/codec/iso-time.ts';
import { standardCode, tokenStandards } from '#chain/codec/token-abi.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { ApiDeps } from '../../deps.ts';
import { absent } from '../../freshness.ts';
import { Count, HexAddress, IsoTime, UnixSeconds } from '../../schema/primitives.ts';
import { heldAs } from '../../token-ledger.ts';

export const TokenStandardName = z.enum(tokenStandards);

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

interface MetadataRecord {
  standard_code: number;
  name: string | null;
  symbol: string | null;
  decimals: number | null;
  supply: string | null;
  checked_block: string;
}

const unknown: MetadataRecord = {
  ...{ standard_code: 0, name: null, symbol: null, decimals: null, supply: null, checked_block: '0' },
};

/** Read once a state. @returns undefined where the contract never emitted a transfer */
export function findToken(deps: TokenDeps, state: ChainState, address: string): Promise<TokenRecord | undefined> {
  return deps.tokens.of(address.toLowerCase(), state, () => readToken(deps, state, address.toLowerCase()));
}

type TokenDeps = Pick<ApiDeps, 'database' | 'statements' | 'tokens' | 'tokenLedger'>;

async function readToken(deps: TokenDeps, state: ChainState, address: string): Promise<TokenRecord | undefined> {
  const [figures, [known = unknown]] = await Promise.all([
    deps.tokenLedger.of(state, address),
    deps.database.read<MetadataRecord>(getStatement(deps.statements, 'token_metadata'), { token: hexDigits(address) }),
  ]);
  if (!figures) return undefined;
  const { standard_code, ...words } = known;
  const standard = tokenStandards[(standard_code || figures.standardCode) - 1]!;
  return {
    ...{ address, ...words, standard },
    ...{
      transfer_count: String(figures.transfers),
      holders: String(Math.max(0, heldAs(figures, standardCode(standard)).holders)),
    },
    ...{
      first_block: String(figures.firstBlock),
      first_seen: figures.firstSeen,
      last_block: String(figures.lastBlock),
    },
  };
}

/** @throws ApiProblem not_found, or indexing while the index is not complete */
export async function requireToken(deps: ApiDeps, state: ChainState, address: string): Promise<TokenRecord> {
  const row = await findToken(deps, state, address);
  if (!row) throw absent(deps, state, `token ${address}`);
  return row;
}
