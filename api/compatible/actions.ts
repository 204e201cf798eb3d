/** All actions of the Etherscan-compatible API, by module and action in lower case. @source docs/compatible.md */
import { toQuantity } from '#chain/codec/hex.ts';
import { reliableHead } from '#sql/snapshot.ts';
import type { SnapshotDeps } from '../read/reader-deps.ts';
import { accountBalance, accountBalanceAt, accountBalanceInHex, accountBalances } from './account-balance.ts';
import { accountFundedBy, accountMinedBlocks, noWithdrawals } from './account-blocks.ts';
import { accountInternal } from './account-internal.ts';
import { accountNftInventory, accountNfts, accountTokenList, accountTokens } from './account-tokens.ts';
import { accountTransfers } from './account-transfers.ts';
import { accountTxlist } from './account-txlist.ts';
import { listAccounts, pendingList } from './accounts-list.ts';
import { type CompatibleAction, type CompatibleRequest, noTransactions } from './action.ts';
import { apiLimit } from './api-limit.ts';
import { blockByTime, blockCountdown, blockCounts, blockReward } from './block.ts';
import { contractAbi, contractCreations, contractSource, listContracts } from './contract.ts';
import { gasEstimate, gasOracle } from './gas-tracker.ts';
import { getLogs } from './logs.ts';
import { coinPrice, dailyMarketCap, dailyPrice } from './market.ts';
import { addressTag } from './nametag.ts';
import { nodeForm, proxyMethods } from './proxy.ts';
import { refusals, refused } from './refused.ts';
import { dailyAction, dailySeries, rewardSeries, totalFees } from './stats.ts';
import { coinSupply, coinSupplyParts, coinSupplyWei } from './supply.ts';
import {
  tokenBalance,
  tokenBalanceAt,
  tokenHolderCount,
  tokenHolders,
  tokenHoldersShort,
  tokenInfo,
  tokenShort,
  tokenSupply,
  tokenSupplyAt,
  topHolders,
} from './token.ts';
import { receiptStatus, transactionInfo, transactionStatus } from './transaction.ts';
import { proxyStatus, verificationStatus, verifyProxy, verifySourceCode } from './verification.ts';

/** The chain has no layer-2 bridge. */
const emptyList: CompatibleAction = async () => {
  throw noTransactions();
};

const daily = Object.fromEntries(
  Object.entries(dailySeries).map(([name, fields]) => [
    name,
    dailyAction(fields, { showsRewards: rewardSeries.includes(name), needsAllBlocks: name === 'dailynewaddress' }),
  ]),
);

const answered = {
  account: {
    balance: accountBalance,
    balancemulti: accountBalances,
    balancehistory: accountBalanceAt,
    txlist: accountTxlist,
    txlistinternal: accountInternal,
    tokentx: accountTransfers('erc20'),
    tokennfttx: accountTransfers('erc721'),
    token1155tx: accountTransfers('erc1155'),
    tokenbalance: tokenBalance,
    tokenbalancehistory: tokenBalanceAt,
    addresstokenbalance: accountTokens,
    addresstokennftbalance: accountNfts,
    addresstokennftinventory: accountNftInventory,
    tokenlist: accountTokenList,
    getminedblocks: accountMinedBlocks,
    fundedby: accountFundedBy,
    listaccounts: listAccounts,
    pendingtxlist: pendingList,
    eth_get_balance: nodeForm(accountBalanceInHex),
    txsbeaconwithdrawal: noWithdrawals,
    getdeposittxs: emptyList,
    getwithdrawaltxs: emptyList,
    txnbridge: emptyList,
  },
  block: {
    getblocknobytime: blockByTime,
    getblockreward: blockReward,
    getblockcountdown: blockCountdown,
    getblocktxnscount: blockCounts,
    eth_block_number: nodeForm(async ({ deps }: CompatibleRequest<SnapshotDeps>) =>
      deps.snapshots.run(async (state) => toQuantity(reliableHead(state))),
    ),
  },
  logs: { getlogs: getLogs },
  transaction: { getstatus: transactionStatus, gettxreceiptstatus: receiptStatus, gettxinfo: transactionInfo },
  contract: {
    getabi: contractAbi,
    getsourcecode: contractSource,
    getcontractcreation: contractCreations,
    listcontracts: listContracts,
    verifysourcecode: verifySourceCode,
    checkverifystatus: verificationStatus,
    verifyproxycontract: verifyProxy,
    checkproxyverification: proxyStatus,
  },
  token: {
    tokenholderlist: tokenHolders,
    tokenholdercount: tokenHolderCount,
    topholders: topHolders,
    tokeninfo: tokenInfo,
    gettoken: tokenShort,
    gettokenholders: tokenHoldersShort,
  },
  stats: {
    tokensupply: tokenSupply,
    tokensupplyhistory: tokenSupplyAt,
    totalfees: totalFees,
    ethsupply: coinSupplyWei,
    ethsupply2: coinSupplyParts,
    ethsupplyexchange: coinSupplyWei,
    coinsupply: coinSupply,
    ethprice: coinPrice('eth'),
    coinprice: coinPrice('coin_'),
    ethdailyprice: dailyPrice,
    ethdailymarketcap: dailyMarketCap,
    ...daily,
  },
  nametag: { getaddresstag: addressTag },
  getapilimit: { getapilimit: apiLimit },
  gastracker: { gasoracle: gasOracle, gasestimate: gasEstimate },
};

type Answered = typeof answered;
type AnyAction = { [M in keyof Answered]: Answered[M][keyof Answered[M]] }[keyof Answered] | (typeof daily)[string];

export type ActionDeps = AnyAction extends CompatibleAction<infer D> ? D : never;

export const actions: Record<string, Record<string, CompatibleAction<ActionDeps>>> = Object.fromEntries(
  Object.entries(answered).map(([module, own]) => [
    module,
    {
      ...own,
      ...Object.fromEntries(Object.entries(refusals[module] ?? {}).map(([name, reason]) => [name, refused(reason)])),
    },
  ]),
);

/** Returns the rows of the table of actions in docs/compatible.md. */
export function catalogue(): { module: string; action: string; state: string }[] {
  const rows = Object.entries(actions).flatMap(([module, own]) =>
    Object.keys(own).map((action) => {
      const reason = refusals[module]?.[action] ?? limits[`${module}.${action}`];
      const state = refusals[module]?.[action] ? `refused: ${reason}` : reason ? `answered; ${reason}` : 'answered';
      return { module, action, state };
    }),
  );
  return [
    ...rows,
    ...Object.keys(proxyMethods).map((action) => ({ module: 'proxy', action, state: 'answered by a node' })),
  ];
}

const ofZeroAddress =
  'a list of the zero address is refused if a page must search too many transfers: request fewer blocks';

const olderBalance =
  'if no node keeps the state of a block, its balance is computed from later movements, at the cost of five requests; an error if these may be incomplete';

/** Limits of actions, for the table in docs/compatible.md. */
const limits: Readonly<Record<string, string>> = {
  'account.tokentx': ofZeroAddress,
  'account.tokennfttx': ofZeroAddress,
  'account.token1155tx': ofZeroAddress,
  'account.txlist': 'a page with more than 32 MiB of call data is refused: request fewer rows',
  'logs.getlogs': 'a page with more than 32 MiB of data is refused: request fewer rows',
  'account.getminedblocks':
    'with `EMISSION_METHOD`, a page has at most 1,000 blocks: without `offset`, the header `X-Next-Cursor` continues the list; a larger page is refused',
  'account.txlistinternal':
    'an account requires indexed traces (`TRACES`); without them, a node can trace a single transaction',
  'account.fundedby':
    'internal transfers count only in blocks with indexed traces. Until all blocks have traces, the request fails for an account without funding',
  'account.tokenlist': 'an account with more than 10,000 ERC-20 tokens, or 100,000 NFTs of one standard, is refused',
  'account.txsbeaconwithdrawal': 'empty on a chain without validator withdrawals; otherwise the request fails',
  'account.getdeposittxs': 'the list is always empty, since the chain is not a layer 2',
  'account.getwithdrawaltxs': 'the list is always empty, since the chain is not a layer 2',
  'account.txnbridge': 'the list is always empty; /api/v1/supply/reconciliation reports migrations',
  'account.pendingtxlist': 'requires a node that serves its transaction pool',
  'account.listaccounts': 'the largest balance is first, as in /api/v1/accounts/top',
  'account.eth_get_balance': `the reply is in JSON-RPC form, as in Blockscout; ${olderBalance}`,
  'block.eth_block_number':
    'the reply is in JSON-RPC form and has the head of the index; proxy eth_blockNumber returns the head of a node',
  'block.getblocktxnscount':
    'fails if neither the index nor a node has a trace of the block: `internalTxsCount` would be unknown',
  'contract.getcontractcreation':
    'contracts created by other contracts are found only in blocks with indexed traces; until all blocks have traces, the request fails if the creation of one of its addresses is not found',
  'contract.getabi': 'also returns the ABI of a verified contract with the same source (similar match)',
  'contract.getsourcecode': 'SimilarMatch names the verified contract whose source is the same',
  'contract.verifysourcecode': 'Solidity as standard JSON or as a single file; Vyper is not supported',
  'contract.verifyproxycontract':
    'finds EIP-1167, EIP-1967, beacon, EIP-1822 and EIP-2535 proxies; optional, because getsourcecode also returns the implementation',
  'contract.checkverifystatus': 'the field message of a failure has the reason',
  'contract.listcontracts':
    'lists contracts created by transactions, oldest first; verified contracts: newest verification first; `offset` must be at most 1,000',
  'account.balance': olderBalance,
  'account.balancehistory': olderBalance,
  'stats.ethsupply': 'the total supply, after burned fees',
  'stats.ethsupply2': 'the total supply is `EthSupply` minus `BurntFees`',
  'stats.ethprice': '`ethbtc` is empty: no price in bitcoin is available; an error if the last trade is too old',
  'stats.totalfees': 'the result is an object; Blockscout returns a plain number',
};
