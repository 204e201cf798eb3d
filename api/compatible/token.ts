/** @source docs/compatible.md */
import { maxUint256, toQuantity } from '#chain/codec/hex.ts';
import { balanceQuestion, decodeUint, standardCode, tokenQuestions } from '#chain/codec/token-abi.ts';
import { askContract } from '#chain/rpc/ask-contract.ts';
import { splitIntoChunks } from '#runtime/lists.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { type AccountReader, stateProblem } from '../read/accounts/account-reader.ts';
import type { ContractReader } from '../read/accounts/contract-reader.ts';
import { ratio } from '../read/charts/decimals.ts';
import type { CoverageDeps, NodeDeps, SnapshotDeps, StoreDeps } from '../read/reader-deps.ts';
import { findToken, type TokenDeps } from '../read/tokens/find-token.ts';
import { firstPlace, type HolderReader } from '../read/tokens/holder-reader.ts';
import { readTokenNames } from '../read/tokens/token-names.ts';
import type { TokenRecord } from '../terms/records.ts';
import {
  type CompatibleAction,
  CompatibleError,
  type CompatibleRequest,
  computeCost,
  noRecords,
  PlainText,
} from './action.ts';
import { assertFromGenesis, assertNewest } from './covered.ts';
import { pageWindow, parseAddress, parseBlock, parseTag } from './parameters.ts';

type CoveredDeps = SnapshotDeps & CoverageDeps & TokenDeps;
type HolderDeps = CoveredDeps & { readonly holders: HolderReader };
type SupplyDeps = CoveredDeps & { readonly contracts: ContractReader };
type LiveDeps = Pick<NodeDeps, 'client'>;

const maxTopHolders = 1_000;
const accountsAtOnce = 50;

async function requireToken(
  { deps, parameters }: CompatibleRequest<CoveredDeps>,
  state: ChainState,
): Promise<TokenRecord> {
  assertNewest(deps, state, state.startBlock);
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
  assertFromGenesis(deps, state);
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

/** Lists holders in Blockscout's format. */
export const tokenHoldersShort: CompatibleAction<HolderDeps> = (request) => {
  const { skip, limit } = pageWindow(request.parameters);
  return request.deps.snapshots.run(async (state) => {
    const holders = await readHolders(request, state, await requireToken(request, state), skip, limit);
    return holders.map(({ address: holder, balance }) => ({ address: holder, value: balance.toString() }));
  });
};

/** The address type is C for contracts, E for accounts without code. */
export const topHolders: CompatibleAction<HolderDeps & { readonly accounts: AccountReader }> = async (request) => {
  const { deps, parameters, charge } = request;
  const given = Number(parameters.get('offset') ?? 10);
  if (!Number.isInteger(given) || given < 1 || given > maxTopHolders)
    throw new CompatibleError(`Error! offset must be a whole number between 1 and ${maxTopHolders}`);
  await charge(computeCost(given), 0);
  const { decimals, holders, state } = await deps.snapshots.run(async (state) => {
    const token = await requireToken(request, state);
    const decimals = token.standard === 'erc20' ? token.decimals : 0;
    if (decimals === null)
      throw new CompatibleError('Error! The decimals of the contract are unknown: use tokenholderlist');
    return { decimals, holders: await readHolders(request, state, token, 0, given), state };
  });
  const rows = [];
  for (const some of splitIntoChunks(holders, accountsAtOnce)) {
    const read = some.map(({ address }) => deps.accounts.read(address, state.head, state.headHash));
    const accounts = await Promise.all(read);
    rows.push(
      ...some.map(({ address, balance }, i) => ({
        TokenHolderAddress: address,
        TokenHolderQuantity: ratio(balance, 10n ** BigInt(decimals), decimals),
        TokenHolderAddressType: accounts[i]?.code ? 'C' : 'E',
      })),
    );
  }
  return rows;
};

export const tokenHolderCount: CompatibleAction<CoveredDeps> = (request) =>
  request.deps.snapshots.run(async (state) => {
    const { holders } = await requireToken(request, state);
    assertFromGenesis(request.deps, state);
    return holders;
  });

export const standardNames = { erc20: 'ERC-20', erc721: 'ERC-721', erc1155: 'ERC-1155' } as const;
/** Always empty in the reply: the service has no such data. */
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
        tokenType: standardNames[token.standard].replace('-', ''),
        totalSupply,
        supplyBlock: String(state.head),
        blueCheckmark: 'false',
        ...Object.fromEntries(projectFields.map((name) => [name, ''])),
      },
    ];
  });

/** Returns a token in Blockscout's format. */
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
      type: standardNames[token.standard],
    };
  });

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

type Tag = (parameters: CompatibleRequest['parameters']) => string;

const tagAsked: Tag = (parameters) => parseTag(parameters.get('tag'));
const heightAsked: Tag = (parameters) => toQuantity(parseBlock(parameters, 'blockno'));

/** Returns a balance in the token's smallest unit. */
const balanceAt =
  (tag: Tag): CompatibleAction<LiveDeps> =>
  (request) => {
    const [token, account] = [parseAddress(request.parameters, 'contractaddress'), parseAddress(request.parameters)];
    return askUint(request, token, balanceQuestion('erc20', account), tag(request.parameters));
  };

const supplyAt =
  (tag: Tag): CompatibleAction<LiveDeps> =>
  (request) =>
    askUint(
      request,
      parseAddress(request.parameters, 'contractaddress'),
      tokenQuestions.totalSupply,
      tag(request.parameters),
    );

export const tokenBalance = balanceAt(tagAsked);
export const tokenBalanceAt = balanceAt(heightAsked);
const liveSupply = supplyAt(() => 'latest');

/**
 * With `cmc=true`, the reply is the supply in whole tokens as plain text.
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
