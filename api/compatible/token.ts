/** @source docs/compatible.md */
import { hexDigits, maxUint256, toQuantity } from '#chain/codec/hex.ts';
import { decodeUint, standardCode } from '#chain/codec/token-abi.ts';
import { askContract } from '#chain/rpc/ask-contract.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { type AccountReader, stateProblem } from '../read/accounts/account-reader.ts';
import type { ContractReader } from '../read/accounts/contract-reader.ts';
import { type HoldDeps, type HoldingRecord, readBalances, readNfts } from '../read/accounts/holdings.ts';
import { ratio } from '../read/charts/decimals.ts';
import type { CoverageDeps, NodeDeps, SnapshotDeps, StoreDeps } from '../read/reader-deps.ts';
import { findToken, type TokenDeps } from '../read/tokens/find-token.ts';
import { firstPlace, type HolderReader } from '../read/tokens/holder-reader.ts';
import { readTokenNames } from '../read/tokens/token-texts.ts';
import type { TokenRecord } from '../terms/records.ts';
import {
  type CompatibleAction,
  CompatibleError,
  type CompatibleRequest,
  EmptyAnswer,
  noRecords,
  PlainText,
} from './action.ts';
import { assertWhole } from './covered.ts';
import { pageWindow, parseAddress, parseBlock, parseOptionalAddress, parseTag } from './parameters.ts';

type CoveredDeps = SnapshotDeps & CoverageDeps & TokenDeps;
type HolderDeps = CoveredDeps & { readonly holders: HolderReader };
type SupplyDeps = CoveredDeps & { readonly contracts: ContractReader };
type HoldingDeps = SnapshotDeps & CoverageDeps & HoldDeps;
type LiveDeps = Pick<NodeDeps, 'client'>;

const maxTopHolders = 1_000;

async function requireToken(
  { deps, parameters }: CompatibleRequest<CoveredDeps>,
  state: ChainState,
): Promise<TokenRecord> {
  assertWhole(deps, state);
  const token = await findToken(deps, state, parseAddress(parameters, 'contractaddress'));
  if (!token) throw noRecords();
  return token;
}

async function readHolders(
  { deps }: CompatibleRequest<HolderDeps>,
  state: ChainState,
  { address, standard }: TokenRecord,
  skip: number,
  limit: number,
) {
  const ranking = { token: address, code: standardCode(standard) };
  return (await deps.holders.read(state, ranking, firstPlace, skip + limit)).slice(skip);
}

export const tokenHolders: CompatibleAction<HolderDeps> = (request) => {
  const { skip, limit } = pageWindow(request.parameters);
  return request.deps.snapshots.run(async (state) => {
    const holders = await readHolders(request, state, await requireToken(request, state), skip, limit);
    if (holders.length === 0) throw noRecords();
    return holders.map(({ address: holder, balance }) => ({
      TokenHolderAddress: holder,
      TokenHolderQuantity: balance.toString(),
    }));
  });
};

/** Lists the holders of a token in the format of Blockscout. */
export const tokenHoldersShort: CompatibleAction<HolderDeps> = (request) => {
  const { skip, limit } = pageWindow(request.parameters);
  return request.deps.snapshots.run(async (state) => {
    const holders = await readHolders(request, state, await requireToken(request, state), skip, limit);
    return holders.map(({ address: holder, balance }) => ({ address: holder, value: balance.toString() }));
  });
};

/** The type of an address is C for contracts, E for accounts without code. */
export const topHolders: CompatibleAction<HolderDeps & { readonly accounts: AccountReader }> = (request) => {
  const { deps, parameters } = request;
  const given = Number(parameters.get('offset') ?? 10);
  if (!Number.isInteger(given) || given < 1 || given > maxTopHolders)
    throw new CompatibleError(`Error! offset must be a whole number between 1 and ${maxTopHolders}`);
  return deps.snapshots.run(async (state) => {
    const token = await requireToken(request, state);
    const holders = await readHolders(request, state, token, 0, given);
    const types = await Promise.all(
      holders.map(async ({ address }) => (await deps.accounts.read(address, state.head, state.headHash)).code),
    );
    return holders.map(({ address, balance }, i) => ({
      TokenHolderAddress: address,
      TokenHolderQuantity: ratio(balance, 10n ** BigInt(token.decimals ?? 0), token.decimals ?? 0),
      TokenHolderAddressType: types[i] ? 'C' : 'E',
    }));
  });
};

export const tokenHolderCount: CompatibleAction<CoveredDeps> = (request) =>
  request.deps.snapshots.run(async (state) => (await requireToken(request, state)).holders);

const names = { erc20: 'ERC-20', erc721: 'ERC-721', erc1155: 'ERC-1155' } as const;
/** Fields of the reply that are always empty, because the service does not have these data. */
const projectFields = [
  'description',
  'website',
  'email',
  'blog',
  'reddit',
  'slack',
  'facebook',
  'twitter',
  'bitcointalk',
  'github',
  'telegram',
  'wechat',
  'linkedin',
  'discord',
  'whitepaper',
  'tokenPriceUSD',
  'image',
];

const supplyAtHead = async ({ deps }: CompatibleRequest<SupplyDeps>, state: ChainState, token: string) =>
  (await deps.contracts.totalSupply(token, state.head, state.headHash)) ?? '';

export const tokenInfo: CompatibleAction<SupplyDeps> = (request) =>
  request.deps.snapshots.run(async (state) => {
    const token = await requireToken(request, state);
    const totalSupply = await supplyAtHead(request, state, token.address);
    return [
      {
        contractAddress: token.address,
        tokenName: token.name ?? '',
        symbol: token.symbol ?? '',
        divisor: String(token.decimals ?? ''),
        tokenType: names[token.standard].replace('-', ''),
        totalSupply,
        supplyBlock: String(state.head),
        blueCheckmark: 'false',
        ...Object.fromEntries(projectFields.map((name) => [name, ''])),
      },
    ];
  });

/** Returns a token in the format of Blockscout. */
export const tokenShort: CompatibleAction<SupplyDeps> = (request) =>
  request.deps.snapshots.run(async (state) => {
    const token = await requireToken(request, state);
    return {
      cataloged: true,
      contractAddress: token.address,
      decimals: token.decimals === null ? '' : String(token.decimals),
      name: token.name ?? '',
      symbol: token.symbol ?? '',
      totalSupply: await supplyAtHead(request, state, token.address),
      type: names[token.standard],
    };
  });

const balanceOf = '0x70a08231';
const totalSupply = '0x18160ddd';

async function askUint({ deps }: CompatibleRequest<LiveDeps>, to: string, data: string, tag: string): Promise<string> {
  const block = /^0x/.test(tag) ? Number(tag) : tag;
  const reply = await askContract(deps.client, { to, data, block }, { retries: 2 }).catch((error: unknown) => {
    throw stateProblem(error, `the state of contract ${to} at block ${tag}`);
  });
  const value = decodeUint(reply, maxUint256);
  if (value === null)
    throw new CompatibleError('Error! Invalid contract address: the contract did not return a number');
  return value.toString();
}

const word = (address: string) => hexDigits(address).padStart(64, '0');

type Tag = (parameters: CompatibleRequest['parameters']) => string;

const tagAsked: Tag = (parameters) => parseTag(parameters.get('tag'));
const heightAsked: Tag = (parameters) => toQuantity(parseBlock(parameters, 'blockno'));

/** Returns a token balance in the smallest unit of the token. */
const balanceAt =
  (tag: Tag): CompatibleAction<LiveDeps> =>
  (request) => {
    const [token, account] = [parseAddress(request.parameters, 'contractaddress'), parseAddress(request.parameters)];
    return askUint(request, token, balanceOf + word(account), tag(request.parameters));
  };

const supplyAt =
  (tag: Tag): CompatibleAction<LiveDeps> =>
  (request) =>
    askUint(request, parseAddress(request.parameters, 'contractaddress'), totalSupply, tag(request.parameters));

export const tokenBalance = balanceAt(tagAsked);
export const tokenBalanceAt = balanceAt(heightAsked);
const liveSupply = supplyAt(() => 'latest');

/**
 * With `cmc=true`, the reply is the token supply as plain text in whole tokens.
 * @source Blockscout RPC API, stats tokensupply
 */
export const tokenSupply: CompatibleAction<LiveDeps & StoreDeps> = async (request) => {
  const supply = (await liveSupply(request)) as string;
  if (request.parameters.get('cmc')?.trim().toLowerCase() !== 'true') return supply;
  const address = parseAddress(request.parameters, 'contractaddress');
  const decimals = (await readTokenNames(request.deps, [address])).get(address)?.decimals;
  if (decimals === undefined || decimals === null)
    throw new CompatibleError(
      'Error! The contract does not report decimals: omit cmc to get the supply in the smallest unit',
    );
  return new PlainText(ratio(BigInt(supply), 10n ** BigInt(decimals), decimals) ?? '0');
};

export const tokenSupplyAt = supplyAt(heightAsked);

const readTokenBalances = (deps: HoldingDeps, state: ChainState, address: string, limit: number) => {
  assertWhole(deps, state);
  return readBalances(deps, state, address, { withZero: false, after: '', limit });
};

/** Lists ERC-20 balances, which are computed from all transfers of the account. */
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

/** Lists tokens of an account in the format of Blockscout. */
export const accountTokenList: CompatibleAction<HoldingDeps> = ({ deps, parameters }) => {
  const address = parseAddress(parameters);
  return deps.snapshots.run(async (state) => {
    const rows = await readTokenBalances(deps, state, address, 10_000);
    if (rows.length === 0) throw new EmptyAnswer('No tokens found');
    return rows.map((row) => ({
      balance: row.amount,
      contractAddress: row.token_hex,
      name: row.name ?? '',
      symbol: row.symbol ?? '',
      decimals: String(row.decimals ?? ''),
      type: names.erc20,
    }));
  });
};

const maxNfts = 100_000;

/** Rejects accounts with more than `maxNfts` NFTs, because a shortened reply would look complete. */
async function readAllNfts(deps: HoldingDeps, state: ChainState, address: string): Promise<HoldingRecord[]> {
  assertWhole(deps, state);
  const rows = await readNfts(deps, state, address, {
    standard: 'erc721',
    after: { token: '', id: '0' },
    limit: maxNfts + 1,
  });
  if (rows.length <= maxNfts) return rows;
  throw new CompatibleError(
    `Error! The account holds more than ${maxNfts} NFTs: read /api/v1/accounts/${address}/nfts page by page`,
  );
}

export const accountNfts: CompatibleAction<HoldingDeps> = ({ deps, parameters }) => {
  const [address, { skip, limit }] = [parseAddress(parameters), pageWindow(parameters)];
  return deps.snapshots.run(async (state) => {
    const counts = new Map<string, { row: HoldingRecord; count: number }>();
    for (const row of await readAllNfts(deps, state, address)) {
      const known = counts.get(row.token_hex);
      counts.set(row.token_hex, { row, count: (known?.count ?? 0) + 1 });
    }
    const page = [...counts.values()].slice(skip, skip + limit);
    if (page.length === 0) throw noRecords();
    return page.map(({ row, count }) => ({
      TokenAddress: row.token_hex,
      TokenName: row.name ?? '',
      TokenSymbol: row.symbol ?? '',
      TokenQuantity: String(count),
    }));
  });
};

export const accountNftInventory: CompatibleAction<HoldingDeps> = ({ deps, parameters }) => {
  const [address, { skip, limit }] = [parseAddress(parameters), pageWindow(parameters)];
  const contract = parseOptionalAddress(parameters, 'contractaddress');
  return deps.snapshots.run(async (state) => {
    const held = (await readAllNfts(deps, state, address)).filter((row) => !contract || row.token_hex === contract);
    const page = held.slice(skip, skip + limit);
    if (page.length === 0) throw noRecords();
    return page.map((row) => ({ TokenAddress: row.token_hex, TokenId: row.id }));
  });
};
