/**
 * Reads the tokens of an account. For large accounts, one statement lists the tokens and others read balances in
 * chunks: planning a single statement would take three times as long.
 */

import { hexDigits, zeroAddress } from '#chain/codec/hex.ts';
import { standardCode, type TokenStandard } from '#chain/codec/token-abi.ts';
import { clampBalance } from '#chain/codec/wide-sum.ts';
import { known } from '#runtime/known.ts';
import { splitIntoChunks } from '#runtime/lists.ts';
import { type ChainState, rollupParameters, snapshotParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { StoreDeps } from '../reader-deps.ts';
import { countsAs, type Names, type TokenStandards, tokensAtOnce } from '../tokens/token-standards.ts';
import type { FewHoldings, Held } from './few-holdings.ts';

type Holding = RowOf<'nft_holdings'>;

export interface BalanceRecord extends RowOf<'token_balances'>, Names {}

export interface HoldingRecord extends Holding, Names {}

export interface HoldDeps extends StoreDeps {
  readonly tokenStandards: TokenStandards;
  readonly fewHoldings: FewHoldings;
}

export interface BalanceQuery {
  readonly withZero: boolean;
  readonly after: string;
  readonly limit: number;
}

/** @throws ApiProblem bad_query for the zero address: its tokens are burned */
function assertHolder(address: string): void {
  if (address === zeroAddress)
    throw new ApiProblem(
      'bad_query',
      'tokens of the zero address are burned, and not counted: see the transfers of each token',
    );
}

/** Returns ERC-20 balances, sorted by token address. @throws StoreError; ApiProblem bad_query for the zero address */
export async function readBalances(
  deps: HoldDeps,
  state: ChainState,
  address: string,
  { withZero, after, limit }: BalanceQuery,
): Promise<BalanceRecord[]> {
  assertHolder(address);
  const held = await deps.fewHoldings.of(state, address);
  if (held) {
    const names = await namesOfStandard(
      deps,
      state,
      held.map(({ token }) => token),
      'erc20',
    );
    return held
      .filter(({ token, standard, balance }) => standard === 'erc20' && (balance > 0n || withZero) && token > after)
      .flatMap(({ token, balance }) => {
        const named = names.get(token);
        return named ? [{ token_hex: `0x${token}`, amount: String(clampBalance(balance)), ...named }] : [];
      })
      .slice(0, limit);
  }
  const names = await touchedTokens(deps, state, address, 'erc20', (token) => token > after);
  return readInChunks([...names.keys()], limit, async (tokens, left) => {
    const rows = await deps.database.read('token_balances', {
      ...rollupParameters(state),
      address: hexDigits(address),
      tokens,
      with_zero: withZero ? 1 : 0,
      limit: left,
    });
    return rows.map((row) => ({ ...row, ...known(names.get(hexDigits(row.token_hex)), 'a token') }));
  });
}

export type NftStandard = 'erc721' | 'erc1155';

export interface NftQuery {
  readonly standard: NftStandard;
  /** Last row of the previous page. `token`: 40 hex digits, or empty for the first page. */
  readonly after: { readonly token: string; readonly id: string };
  readonly limit: number;
}

/** Returns NFTs, sorted by contract and id. @throws StoreError */
export async function readNfts(
  deps: HoldDeps,
  state: ChainState,
  address: string,
  { standard, after, limit }: NftQuery,
): Promise<HoldingRecord[]> {
  assertHolder(address);
  const held = await deps.fewHoldings.of(state, address);
  if (held) {
    const names = await namesOfStandard(
      deps,
      state,
      held.map(({ token }) => token),
      standard,
    );
    const isAfter = ({ token, id }: Held) => token > after.token || (token === after.token && id > BigInt(after.id));
    return held
      .filter((one) => one.standard === standard && one.balance > 0n && isAfter(one))
      .flatMap(({ token, id, balance }) => {
        const named = names.get(token);
        return named
          ? [{ token_hex: `0x${token}`, id: String(id), amount: String(clampBalance(balance)), ...named }]
          : [];
      })
      .slice(0, limit);
  }
  const names = await touchedTokens(deps, state, address, standard, (token) => token >= after.token);
  return readInChunks([...names.keys()], limit, async (tokens, left) => {
    const rows = await deps.database.read('nft_holdings', {
      ...rollupParameters(state),
      address: hexDigits(address),
      tokens,
      standard,
      at_token: after.token,
      at_id: after.id,
      limit: left,
    });
    return rows.map((row) => ({ ...row, ...known(names.get(hexDigits(row.token_hex)), 'a token') }));
  });
}

async function namesOfStandard(
  { tokenStandards }: HoldDeps,
  state: ChainState,
  tokens: readonly string[],
  standard: TokenStandard,
): Promise<Map<string, Names>> {
  const found = await tokenStandards.of(state, [...new Set(tokens)]);
  const names = new Map<string, Names>();
  for (const token of tokens) {
    const one = found.get(token);
    if (!one || !countsAs(one, standardCode(standard))) continue;
    names.set(token, { name: one.name, symbol: one.symbol, decimals: one.decimals });
  }
  return names;
}

async function touchedTokens(
  deps: HoldDeps,
  state: ChainState,
  address: string,
  standard: TokenStandard,
  isWanted: (token: string) => boolean,
): Promise<Map<string, Names>> {
  const touched = await deps.database.readBinary('touched_tokens', {
    ...rollupParameters(state),
    address: hexDigits(address),
    standard,
  });
  const tokens = touched
    .map(({ token }) => hexDigits(token))
    .filter(isWanted)
    .sort();
  return namesOfStandard(deps, state, tokens, standard);
}

/** Returns the block in which the account last received each NFT. @throws StoreError */
export async function readAcquisitionBlocks(
  deps: HoldDeps,
  state: ChainState,
  address: string,
  standard: NftStandard,
  rows: readonly Pick<Holding, 'token_hex' | 'id'>[],
): Promise<number[]> {
  const acquired = await readInChunks(rows, Number.POSITIVE_INFINITY, (chunk) =>
    deps.database.read('nft_acquisitions', {
      ...snapshotParameters(state),
      address: hexDigits(address),
      standard,
      tokens: chunk.map((row) => hexDigits(row.token_hex)),
      ids: chunk.map((row) => BigInt(row.id)),
    }),
  );
  const blocks = new Map(acquired.map((row) => [`${row.token_hex} ${row.id}`, Number(row.acquired_block)]));
  return rows.map((row) => blocks.get(`${row.token_hex} ${row.id}`) ?? 0);
}

async function readInChunks<T, Row>(
  all: readonly T[],
  limit: number,
  read: (chunk: T[], left: number) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const chunk of splitIntoChunks(all, tokensAtOnce)) {
    if (rows.length >= limit) break;
    rows.push(...(await read(chunk, limit - rows.length)));
  }
  return rows;
}
