/**
 * What an account holds. Little is added up here; of much the engine says which tokens were ever touched, then, of those of one
 * standard, balances: small statements by key one after the other, since one for all of it takes three times as long to plan.
 */

import { hexDigits } from '#chain/codec/hex.ts';
import { standardCode, type TokenStandard } from '#chain/codec/token-abi.ts';
import { amountOfSum } from '#chain/codec/wide-sum.ts';
import { chunksOf } from '#runtime/lists.ts';
import type { Parameters } from '#sql/parameters.ts';
import { type ChainState, eraParameters, snapshotParameters } from '#sql/snapshot.ts';
import type { StatementName } from '#sql/statements.gen.ts';
import { getStatement } from '#sql/statements.ts';
import type { StoreDeps } from '../reader-deps.ts';
import { countsAs, type KnownToken, type Names, type TokenNames, tokensAtOnce } from '../tokens/token-names.ts';
import type { FewHoldings, Held } from './few-holdings.ts';

interface Balance {
  readonly token_hex: string;
  readonly amount: string;
}

interface Holding {
  readonly token_hex: string;
  readonly id: string;
}

/** A token that the account holds. */
export interface BalanceRecord extends Balance, Names {}

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
    const known = await ofStandard(
      deps,
      state,
      few.map(({ token }) => token),
      'erc20',
    );
    return few
      .map(({ token, standard, balance }) => ({ token, standard, amount: amountOfSum(balance) }))
      .filter(({ standard, amount }) => standard === 'erc20' && (amount > 0n || withZero))
      .filter(({ token }) => known.has(token) && token > after)
      .slice(0, limit)
      .map(({ token, amount }) => ({ token_hex: `0x${token}`, amount: String(amount), ...namesOf(known.get(token)!) }));
  }
  const known = await touchedTokens(deps, state, address, 'erc20', (token) => token > after);
  return inChunks([...known.keys()], limit, async (tokens, left) => {
    const rows = await read<Balance>(deps, 'token_balances', {
      ...eraParameters(state),
      address: hexDigits(address),
      tokens,
      with_zero: withZero ? 1 : 0,
      limit: left,
    });
    return rows.map((row) => ({ ...row, ...namesOf(known.get(hexDigits(row.token_hex))!) }));
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
    const known = await ofStandard(
      deps,
      state,
      few.map(({ token }) => token),
      'erc721',
    );
    const isBehind = ({ token, id }: Held) => token > after.token || (token === after.token && id > BigInt(after.id));
    return few
      .filter((one) => one.standard === 'erc721' && known.has(one.token) && one.balance > 0n && isBehind(one))
      .slice(0, limit)
      .map(({ token, id }) => ({ token_hex: `0x${token}`, id: String(id), ...namesOf(known.get(token)!) }));
  }
  const known = await touchedTokens(deps, state, address, 'erc721', (token) => token >= after.token);
  return inChunks([...known.keys()], limit, async (tokens, left) => {
    const rows = await read<Holding>(deps, 'nft_holdings', {
      ...eraParameters(state),
      address: hexDigits(address),
      tokens,
      at_token: after.token,
      at_id: after.id,
      limit: left,
    });
    return rows.map((row) => ({ ...row, ...namesOf(known.get(hexDigits(row.token_hex))!) }));
  });
}

/** What is known of those whose events of a standard count, each once, in their order. */
async function ofStandard(
  { tokenNames }: HoldDeps,
  state: ChainState,
  tokens: readonly string[],
  standard: TokenStandard,
) {
  const known = await tokenNames.of(state, [...new Set(tokens)]);
  return new Map(
    tokens
      .filter((token) => known.has(token) && countsAs(known.get(token)!, standardCode(standard)))
      .map((token) => [token, known.get(token)!]),
  );
}

/** Tokens of which transfers of one standard were ever moved from or to the account, by address without 0x, in order. */
async function touchedTokens(
  deps: HoldDeps,
  state: ChainState,
  address: string,
  standard: TokenStandard,
  isAsked: (token: string) => boolean,
): Promise<Map<string, KnownToken>> {
  const statement = getStatement(deps.statements, 'touched_tokens');
  const touched = await deps.database.readBinary<{ token: string }>(statement, {
    ...eraParameters(state),
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
    read<{ token_hex: string; id: string; acquired_block: string }>(deps, 'nft_acquisitions', {
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

const namesOf = ({ name, symbol, decimals }: Names): Names => ({ name, symbol, decimals });

function read<Row>({ database, statements }: HoldDeps, name: StatementName, parameters: Parameters) {
  return database.read<Row>(getStatement(statements, name), parameters);
}
