/**
 * What an account holds: which tokens it ever touched, what these are, then balances of those of one standard. Small statements
 * by key one after the other; one statement for all of it takes the engine three times as long to plan.
 */
import { hexDigits } from '#chain/codec/hex.ts';
import { chunksOf } from '#runtime/lists.ts';
import type { Parameters } from '#sql/client.ts';
import { type ChainState, eraParameters, snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { ApiDeps } from './deps.ts';
import { type KnownToken, type Names, tokensAtOnce } from './token-names.ts';

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

type HoldDeps = Pick<ApiDeps, 'database' | 'statements' | 'tokenNames'>;

const [erc20, erc721] = [1, 2];

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
  const known = await touchedTokens(deps, state, address, erc20, (token) => token > after);
  return inChunks([...known.keys()], limit, async (tokens, left) => {
    const rows = await read<Balance>(deps, 'token_balances', {
      ...eraParameters(state),
      ...{ address: hexDigits(address), tokens, with_zero: withZero ? 1 : 0, limit: left },
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
  const known = await touchedTokens(deps, state, address, erc721, (token) => token >= after.token);
  return inChunks([...known.keys()], limit, async (tokens, left) => {
    const rows = await read<Holding>(deps, 'nft_holdings', {
      ...eraParameters(state),
      ...{ address: hexDigits(address), tokens, at_token: after.token, at_id: after.id, limit: left },
    });
    return rows.map((row) => ({ ...row, ...namesOf(known.get(hexDigits(row.token_hex))!) }));
  });
}

/** Tokens of one standard that were ever moved from or to the account, by address without 0x, in order. */
async function touchedTokens(
  deps: HoldDeps,
  state: ChainState,
  address: string,
  standard: number,
  isAsked: (token: string) => boolean,
): Promise<Map<string, KnownToken>> {
  const statement = getStatement(deps.statements, 'touched_tokens');
  const touched = await deps.database.readBinary<{ token: string }>(statement, {
    ...eraParameters(state),
    address: hexDigits(address),
  });
  const tokens = touched
    .map(({ token }) => hexDigits(token))
    .filter(isAsked)
    .sort();
  const known = await deps.tokenNames.of(state, tokens);
  return new Map(
    tokens.filter((token) => known.get(token)?.standard_code === standard).map((token) => [token, known.get(token)!]),
  );
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
      ...{ address: hexDigits(address), tokens: some.map((row) => hexDigits(row.token_hex)) },
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

function read<Row>({ database, statements }: HoldDeps, name: string, parameters: Parameters) {
  return database.read<Row>(getStatement(statements, name), parameters);
}
