/** The only list of the compatible interface's actions, by module; names in lower case. @source conventions 2.5 to 2.8 */
import { accountBalance, accountBalanceAt, accountBalances } from './account-balance.ts';
import { accountFundedBy, accountMinedBlocks } from './account-blocks.ts';
import { accountInternal } from './account-internal.ts';
import { accountTransfers } from './account-transfers.ts';
import { accountTxlist } from './account-txlist.ts';
import { type CompatibleAction, noTransactions } from './action.ts';
import { apiLimit } from './api-limit.ts';
import { blockByTime, blockCountdown, blockCounts, blockReward } from './block.ts';
import { contractAbi, contractCreations, contractSource, verifyContract } from './contract.ts';
import { gasEstimate, gasOracle } from './gas-tracker.ts';
import { getLogs } from './logs.ts';
import { coinPrice, dailyPrice } from './market.ts';
import { addressTag } from './nametag.ts';
import { dailyAction, dailySeries, totalFees } from './stats.ts';
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

/** Lists of what this chain does not have: withdrawals of validators, bridges of a layer 2. */
const nothing: CompatibleAction = async () => {
  throw noTransactions();
};

export const actions: Record<string, Record<string, CompatibleAction>> = {
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
    txsbeaconwithdrawal: nothing,
    getdeposittxs: nothing,
    getwithdrawaltxs: nothing,
    txnbridge: nothing,
  },
  block: {
    getblocknobytime: blockByTime,
    getblockreward: blockReward,
    getblockcountdown: blockCountdown,
    getblocktxnscount: blockCounts,
  },
  logs: { getlogs: getLogs },
  transaction: { getstatus: transactionStatus, gettxreceiptstatus: receiptStatus, gettxinfo: transactionInfo },
  contract: {
    getabi: contractAbi,
    getsourcecode: contractSource,
    getcontractcreation: contractCreations,
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
    ...Object.fromEntries(Object.entries(dailySeries).map(([name, fields]) => [name, dailyAction(fields)])),
  },
  nametag: { getaddresstag: addressTag },
  getapilimit: { getapilimit: apiLimit },
  gastracker: { gasoracle: gasOracle, gasestimate: gasEstimate },
};
