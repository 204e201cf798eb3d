import { hexDigits } from '#chain/codec/hex.ts';
import { standardCode, tokenStandards } from '#chain/codec/token-abi.ts';
import { known } from '#runtime/known.ts';
import type { ChainState } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import type { Cache } from '../../cache/cache.ts';
import type { TokenRecord } from '../../terms/records.ts';
import { absent } from '../chain/freshness.ts';
import type { CoverageDeps, StoreDeps } from '../reader-deps.ts';
import { heldAs, type TokenLedger } from './token-ledger.ts';

export interface TokenDeps extends StoreDeps {
  readonly tokens: Cache<TokenRecord | undefined>;
  readonly tokenLedger: TokenLedger;
}

const unknown: RowOf<'token_metadata'> = {
  standard_code: 0,
  name: null,
  symbol: null,
  decimals: null,
  supply: null,
  checked_block: '0',
};

/** Returns undefined if the contract never emitted a transfer. */
export function findToken(deps: TokenDeps, state: ChainState, address: string): Promise<TokenRecord | undefined> {
  return deps.tokens.of(address.toLowerCase(), state, () => readToken(deps, state, address.toLowerCase()));
}

async function readToken(deps: TokenDeps, state: ChainState, address: string): Promise<TokenRecord | undefined> {
  const figures = await deps.tokenLedger.of(state, address);
  if (!figures) return undefined; // most contracts are not tokens; this often needs no statement
  const [metadata = unknown] = await deps.database.read('token_metadata', { token: hexDigits(address) });
  const { standard_code, ...names } = metadata;
  const standard = known(tokenStandards[(standard_code || figures.standardCode) - 1], 'the standard of a token');
  return {
    address,
    ...names,
    standard,
    transfer_count: String(figures.transfers),
    holders: String(Math.max(0, heldAs(figures, standardCode(standard)).holders)),
    first_block: String(figures.firstBlock),
    first_seen: figures.firstSeen,
    last_block: String(figures.lastBlock),
  };
}

/** @throws ApiProblem not_found, or indexing if the index is incomplete */
export async function requireToken(
  deps: TokenDeps & CoverageDeps,
  state: ChainState,
  address: string,
): Promise<TokenRecord> {
  const row = await findToken(deps, state, address);
  if (!row) throw absent(deps, state, `token ${address}`);
  return row;
}
