/**
 * What an account holds. Little is added up here; of much the engine says which tokens were ever touched, then, of those of one
 * standard, balances: small statements by key one after the other, since one for all of it takes three times as long to plan.
 */

import { hexDigits } from '#chain/codec/hex.ts';
import { standardCode, type TokenStandard } from '#chain/codec/token-abi.ts';
import { amountOfSum } from '#chain/codec/wide-sum.ts';
import { known } from '#runtime/known.ts';
import { chunksOf } from '#runtime/lists.ts';
import { type ChainState, rollupParameters, snapshotParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import type { StoreDeps } from '../reader-deps.ts';
import { countsAs, type Names, type TokenNames, tokensAtOnce } from '../tokens/token-names.ts';
import type { FewHoldings, Held } from './few-holdings.ts';

type Holding = RowOf<'nft_holdings'>;

/** A token that the account holds. */
export interface BalanceRecord extends RowOf<'token_balances'>, Names {}

/** A token and id that the account owns. */
export interface HoldingRecord extends Holding, Names {}

export interface HoldDeps extends StoreDeps {
  readonly tokenNames: TokenNames;
  readonly fewHoldings: FewHoldings;
}

export interface BalanceQuery {
  readonly withZero: boolean;
  /** Last token sent, 40 hex digits; empty: from the start. */
  readonly after: string;
  readonly limit: number;
}

/** TOKEN-20 balances by address of the token. @throws StoreError */
export async function readBalances(
  deps: HoldDeps,
  state: ChainState,
  address: string,
  { withZero, after, limit }: BalanceQuery,
): Promise<BalanceRecord[]> {
  const few = await deps.fewHoldings.of(state, address);
  if (few) {
    const names = await ofStandard(
      deps,
      state,
      few.map(({ token }) => token),
      'erc20',
    );
    return few
      .filter(({ token, standard, balance }) => standard === 'erc20' && (balance > 0n || withZero) && token > after)
      .flatMap(({ token, balance }) => {
        const named = names.get(token);
        return named ? [{ token_hex: `0x${token}`, amount: String(amountOfSum(balance)), ...named }] : [];
      })
      .slice(0, limit);
  }
  const names = await touchedTokens(deps, state, address, 'erc20', (token) => token > after);
  return inChunks([...names.keys()], limit, async (tokens, left) => {
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

export interface NftQuery {
  /** Last row sent: token as 40 hex digits and id; an empty token: from the start. */
  readonly after: { readonly token: string; readonly id: string };
  readonly limit: number;
}

/** ERC-721 tokens by contract and id. @throws StoreError */
export async function readNfts(
  deps: HoldDeps,
  state: ChainState,
  address: string,
  { after, limit }: NftQuery,
): Promise<HoldingRecord[]> {
  const few = await deps.fewHoldings.of(state, address);
  if (few) {
    const names = await ofStandard(
      deps,
      state,
      few.map(({ token }) => token),
      'erc721',
    );
    const isBehind = ({ token, id }: Held) => token > after.token || (token === after.token && id > BigInt(after.id));
    return few
      .filter((one) => one.standard === 'erc721' && one.balance > 0n && isBehind(one))
      .flatMap(({ token, id }) => {
        const named = names.get(token);
        return named ? [{ token_hex: `0x${token}`, id: String(id), ...named }] : [];
      })
      .slice(0, limit);
  }
  const names = await touchedTokens(deps, state, address, 'erc721', (token) => token >= after.token);
  return inChunks([...names.keys()], limit, async (tokens, left) => {
    const rows = await deps.database.read('nft_holdings', {
      ...rollupParameters(state),
      address: hexDigits(address),
      tokens,
      at_token: after.token,
      at_id: after.id,
      limit: left,
    });
    return rows.map((row) => ({ ...row, ...known(names.get(hexDigits(row.token_hex)), 'a token') }));
  });
}

/** What is known of those whose events of a standard count, each once, in their order. */
async function ofStandard(
  { tokenNames }: HoldDeps,
  state: ChainState,
  tokens: readonly string[],
  standard: TokenStandard,
): Promise<Map<string, Names>> {
  const found = await tokenNames.of(state, [...new Set(tokens)]);
  const names = new Map<string, Names>();
  for (const token of tokens) {
    const one = found.get(token);
    if (!one || !countsAs(one, standardCode(standard))) continue;
    names.set(token, { name: one.name, symbol: one.symbol, decimals: one.decimals });
  }
  return names;
}

/** Tokens of which transfers of one standard were ever moved from or to the account, by address without 0x, in order. */
async function touchedTokens(
  deps: HoldDeps,
  state: ChainState,
  address: string,
  standard: TokenStandard,
  isAsked: (token: string) => boolean,
): Promise<Map<string, Names>> {
  const touched = await deps.database.readBinary('touched_tokens', {
    ...rollupParameters(state),
    address: hexDigits(address),
    standard,
  });
  const tokens = touched
    .map(({ token }) => hexDigits(token))
    .filter(isAsked)
    .sort();
  return ofStandard(deps, state, tokens, standard);
}

/** In which block each of them last came to the account, in the same order. @throws StoreError */
export async function acquisitionBlocks(
  deps: HoldDeps,
  state: ChainState,
  address: string,
  rows: readonly Holding[],
): Promise<number[]> {
  const acquired = await inChunks(rows, Number.POSITIVE_INFINITY, (some) =>
    deps.database.read('nft_acquisitions', {
      ...snapshotParameters(state),
      address: hexDigits(address),
      tokens: some.map((row) => hexDigits(row.token_hex)),
      ids: some.map((row) => BigInt(row.id)),
    }),
  );
  const blocks = new Map(acquired.map((row) => [`${row.token_hex} ${row.id}`, Number(row.acquired_block)]));
  return rows.map((row) => blocks.get(`${row.token_hex} ${row.id}`) ?? 0);
}

/** Asks for one chunk after the other until there are rows enough. */
async function inChunks<T, Row>(
  all: readonly T[],
  limit: number,
  ask: (some: T[], left: number) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const some of chunksOf(all, tokensAtOnce)) {
    if (rows.length >= limit) break;
    rows.push(...(await ask(some, limit - rows.length)));
  }
  return rows;
}
