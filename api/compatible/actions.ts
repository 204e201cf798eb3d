/** All actions of the compatible interface, by module and in lower case. @source docs/compatible.md */
import { toQuantity } from '#chain/codec/hex.ts';
import { reliableHead } from '#sql/snapshot.ts';
import type { SnapshotDeps } from '../read/reader-deps.ts';
import { accountBalance, accountBalanceAt, accountBalanceInHex, accountBalances } from './account-balance.ts';
import { accountFundedBy, accountMinedBlocks } from './account-blocks.ts';
import { accountInternal } from './account-internal.ts';
import { accountTransfers } from './account-transfers.ts';
import { accountTxlist } from './account-txlist.ts';
import { listAccounts, pendingList } from './accounts-list.ts';
import { type CompatibleAction, type CompatibleRequest, noTransactions } from './action.ts';
import { apiLimit } from './api-limit.ts';
import { blockByTime, blockCountdown, blockCounts, blockReward } from './block.ts';
import { contractAbi, contractCreations, contractSource, listContracts, verifyContract } from './contract.ts';
import { gasEstimate, gasOracle } from './gas-tracker.ts';
import { getLogs } from './logs.ts';
import { coinPrice, dailyMarketCap, dailyPrice } from './market.ts';
import { addressTag } from './nametag.ts';
import { nodeForm, proxyMethods } from './proxy.ts';
import { refusals, refused } from './refused.ts';
import { dailyAction, dailySeries, rewardSeries, totalFees } from './stats.ts';
import { coinSupply, coinSupplyParts, coinSupplyWei } from './supply.ts';
import {
  accountNftInventory,
  accountNfts,
  accountTokenList,
  accountTokens,
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

/** The chain has no validator withdrawals and no layer-2 bridge. */
const emptyList: CompatibleAction = async () => {
  throw noTransactions();
};

const daily = Object.fromEntries(
  Object.entries(dailySeries).map(([name, fields]) => [name, dailyAction(fields, rewardSeries.includes(name))]),
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
    txsbeaconwithdrawal: emptyList,
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
    verifysourcecode: verifyContract,
    verifyproxycontract: verifyContract,
    checkverifystatus: verifyContract,
    checkproxyverification: verifyContract,
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

/** Documented actions, for docs/compatible.md. */
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

/** For docs/compatible.md. */
const limits: Readonly<Record<string, string>> = {
  'account.txlistinternal':
    'for an account only with indexed traces (`TRACES=on`); for a transaction also by a live trace',
  'account.txsbeaconwithdrawal': 'always empty: the chain has no beacon withdrawals',
  'account.getdeposittxs': 'always empty: the chain is not a layer 2',
  'account.getwithdrawaltxs': 'always empty: the chain is not a layer 2',
  'account.txnbridge': 'always empty: for migrations use /api/v1/supply/reconciliation',
  'account.pendingtxlist': 'only if the node serves its transaction pool',
  'account.listaccounts': 'largest balance first, same ranks as /api/v1/accounts/top',
  'account.eth_get_balance': 'JSON-RPC reply, as in Blockscout',
  'block.eth_block_number': 'JSON-RPC reply with the index head; for the node’s head use proxy eth_blockNumber',
  'block.getblocktxnscount': 'refused if no trace of the block is available: `internalTxsCount` would be unknown',
  'contract.getcontractcreation': 'contracts created by contracts only in traced blocks',
  'contract.getabi': 'sources are not stored: replies “not verified”',
  'contract.getsourcecode': 'sources are not stored: empty fields',
  'contract.verifysourcecode': 'refused: sources are not accepted',
  'contract.verifyproxycontract': 'refused: sources are not accepted',
  'contract.checkverifystatus': 'refused: sources are not accepted',
  'contract.checkproxyverification': 'refused: sources are not accepted',
  'contract.listcontracts': 'contracts created by transactions, oldest first; none is verified',
  'stats.ethprice': '`ethbtc` is empty: no price in bitcoin is available',
  'stats.totalfees': 'as an object; Blockscout returns a plain number',
};
