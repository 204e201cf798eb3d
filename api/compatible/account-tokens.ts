/** Actions that list the tokens of an account. @source docs/compatible.md */
import { getFirst, groupBy } from '#runtime/lists.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { type HoldDeps, type HoldingRecord, readBalances, readNfts } from '../read/accounts/holdings.ts';
import type { CoverageDeps, SnapshotDeps } from '../read/reader-deps.ts';
import { type CompatibleAction, CompatibleError, type CompatibleRequest, EmptyAnswer, noRecords } from './action.ts';
import { assertFromGenesis } from './covered.ts';
import { pageWindow, parseAddress, parseOptionalAddress } from './parameters.ts';
import { standardNames } from './token.ts';

type HoldingDeps = SnapshotDeps & CoverageDeps & HoldDeps;

const [maxTokens, maxNfts] = [10_000, 100_000];
const nftsPerCost = 2_000;

const readTokenBalances = (deps: HoldingDeps, state: ChainState, address: string, limit: number) => {
  assertFromGenesis(deps, state);
  return readBalances(deps, state, address, { withZero: false, after: '', limit });
};

/** ERC-20 balances, summed from all transfers of the account. */
export const accountTokens: CompatibleAction<HoldingDeps> = ({ deps, parameters }) => {
  const [address, { skip, limit }] = [parseAddress(parameters), pageWindow(parameters)];
  return deps.snapshots.run(async (state) => {
    const rows = (await readTokenBalances(deps, state, address, skip + limit)).slice(skip);
    if (rows.length === 0) throw noRecords();
    return rows.map((row) => ({
      TokenAddress: row.token_hex,
      TokenName: row.name ?? '',
      TokenSymbol: row.symbol ?? '',
      TokenQuantity: row.amount,
      TokenDivisor: String(row.decimals ?? ''),
      TokenPriceUSD: '',
    }));
  });
};

/**
 * Tokens in Blockscout's format: ERC-20 balances, ERC-721 counts, and each ERC-1155 id.
 * @throws CompatibleError for more than `maxTokens` ERC-20 or `maxNfts` NFTs
 */
export const accountTokenList: CompatibleAction<HoldingDeps> = (request) => {
  const { deps, parameters } = request;
  const address = parseAddress(parameters);
  return deps.snapshots.run(async (state) => {
    const [balances, collections, items] = await Promise.all([
      readTokenBalances(deps, state, address, maxTokens + 1),
      readAllNfts(request, state, address, 'erc721').then(countByContract),
      readAllNfts(request, state, address, 'erc1155'),
    ]);
    if (balances.length > maxTokens)
      throw new CompatibleError(
        `Error! The account holds more than ${maxTokens} tokens: read /api/v1/accounts/${address}/tokens page by page`,
      );
    const rows = [
      ...balances.map((row) => listRow(row, 'erc20', row.amount, { decimals: String(row.decimals ?? '') })),
      ...collections.map(({ row, count }) => listRow(row, 'erc721', String(count), { decimals: '' })),
      ...items.map((row) => listRow(row, 'erc1155', row.amount, { decimals: '', id: row.id })),
    ];
    if (rows.length === 0) throw new EmptyAnswer('No tokens found');
    return rows;
  });
};

function listRow(
  { token_hex, name, symbol }: Pick<HoldingRecord, 'token_hex' | 'name' | 'symbol'>,
  standard: keyof typeof standardNames,
  balance: string,
  { decimals, id }: { readonly decimals: string; readonly id?: string },
) {
  return {
    balance,
    contractAddress: token_hex,
    name: name ?? '',
    symbol: symbol ?? '',
    decimals,
    type: standardNames[standard],
    ...(id === undefined ? {} : { id }),
  };
}

/** Rejects accounts with more than `maxNfts` NFTs, because a shortened reply would look complete. */
async function readAllNfts(
  { deps, charge }: CompatibleRequest<HoldingDeps>,
  state: ChainState,
  address: string,
  standard: 'erc721' | 'erc1155',
): Promise<HoldingRecord[]> {
  assertFromGenesis(deps, state);
  const rows = await readNfts(deps, state, address, {
    standard,
    after: { token: '', id: '0' },
    limit: maxNfts + 1,
  });
  const cost = Math.floor(rows.length / nftsPerCost);
  if (cost > 0) await charge(cost, 0);
  if (rows.length <= maxNfts) return rows;
  throw new CompatibleError(
    `Error! The account holds more than ${maxNfts} NFTs: read /api/v1/accounts/${address}/nfts page by page`,
  );
}

function countByContract(nfts: readonly HoldingRecord[]): { readonly row: HoldingRecord; readonly count: number }[] {
  const byContract = groupBy(nfts, ({ token_hex }) => token_hex);
  return [...byContract.values()].map((rows) => ({ row: getFirst(rows), count: rows.length }));
}

export const accountNfts: CompatibleAction<HoldingDeps> = (request) => {
  const { deps, parameters } = request;
  const [address, { skip, limit }] = [parseAddress(parameters), pageWindow(parameters)];
  return deps.snapshots.run(async (state) => {
    const collections = countByContract(await readAllNfts(request, state, address, 'erc721'));
    const page = collections.slice(skip, skip + limit);
    if (page.length === 0) throw noRecords();
    return page.map(({ row, count }) => ({
      TokenAddress: row.token_hex,
      TokenName: row.name ?? '',
      TokenSymbol: row.symbol ?? '',
      TokenQuantity: String(count),
    }));
  });
};

export const accountNftInventory: CompatibleAction<HoldingDeps> = (request) => {
  const { deps, parameters } = request;
  const [address, { skip, limit }] = [parseAddress(parameters), pageWindow(parameters)];
  const contract = parseOptionalAddress(parameters, 'contractaddress');
  return deps.snapshots.run(async (state) => {
    const held = (await readAllNfts(request, state, address, 'erc721')).filter(
      (row) => !contract || row.token_hex === contract,
    );
    const page = held.slice(skip, skip + limit);
    if (page.length === 0) throw noRecords();
    return page.map((row) => ({ TokenAddress: row.token_hex, TokenId: row.id }));
  });
};
