/** All API routes, in documentation order. */

import { deletePrivateTag, listPrivateTags, setPrivateTag } from './account/tags.ts';
import { createWatch, deleteWatch, getWatch, listWatches, replayWatch } from './account/watches.ts';
import { getAccountSnapshot } from './accounts/account-snapshot.ts';
import { listCoinChanges } from './accounts/coin-changes.ts';
import { getCoinMerkleTree } from './accounts/coin-merkle-tree.ts';
import { getCoinSnapshot } from './accounts/coin-snapshot.ts';
import { getAccount } from './accounts/get-account.ts';
import { getBalanceHistory } from './accounts/get-balance-history.ts';
import { getStatement } from './accounts/get-statement.ts';
import { listAccountNfts } from './accounts/list-account-nfts.ts';
import { listAccountTokens } from './accounts/list-account-tokens.ts';
import { listAccountTransactions } from './accounts/list-account-transactions.ts';
import { listInternalTransfers } from './accounts/list-internal-transfers.ts';
import { listTopAccounts } from './accounts/list-top-accounts.ts';
import { getReservesMessage, postReserves } from './accounts/reserves.ts';
import { listAiAgents } from './agents/list-agents.ts';
import { listTestimonies } from './agents/list-testimonies.ts';
import { getAnchor } from './anchors/get-anchor.ts';
import { listAnchors, listLatestAnchors } from './anchors/list-anchors.ts';
import { getChart, listCharts } from './charts/get-chart.ts';
import { getLine, getUpdateStatus, listLines } from './charts/lines.ts';
import { listCounters } from './charts/list-counters.ts';
import { queryStats } from './charts/query-stats.ts';
import { getCompatible, getCompatibleV1, getCompatibleV2 } from './compatible/get-compatible.ts';
import { listChains } from './compatible/list-chains.ts';
import { getContract, listVerifiedContracts } from './contracts/contract.ts';
import { listContractLogs } from './contracts/list-contract-logs.ts';
import { listSimilarContracts } from './contracts/list-similar-contracts.ts';
import {
  getSourcifyContract,
  getSourcifyJob,
  listSourcifyContracts,
  postSourcifyMetadata,
  postSourcifyVerify,
} from './contracts/sourcify.ts';
import { listProxyUpgrades } from './contracts/upgrades.ts';
import { postVerifyForm } from './contracts/verify-form.ts';
import { deleteAddressSet, getAddressSet, patchAddressSet, postAddressSet } from './deposits/address-set.ts';
import { getVerdict } from './deposits/get-verdict.ts';
import { listReorgs } from './deposits/list-reorgs.ts';
import { listSetTransfers } from './deposits/list-set-transfers.ts';
import { streamAddressSet, streamHeads } from './deposits/streams.ts';
import { certifyExport, exportRows } from './export/export-rows.ts';
import { listChanges } from './export/list-changes.ts';
import { listSigningKeys } from './export/list-keys.ts';
import { postNonce, postSignIn } from './identity/sign-in.ts';
import { getIdentity, linkWallet, postLinkNonce, unlinkWallet } from './identity/wallets.ts';
import { getIntegrationRules } from './integration/get-rules.ts';
import { postIntegrationRequest } from './integration/post-request.ts';
import { getSelfCheck } from './integration/self-check.ts';
import { createKey, listKeys, revokeKey, verifyKey } from './keys/keys.ts';
import { getPrice } from './markets/get-price.ts';
import { deleteMarket, getMarket, listMarkets, postMarket } from './markets/venues.ts';
import { getEcosystemDirectory } from './network/get-directory.ts';
import { getGasOracle } from './network/get-gas-oracle.ts';
import { getNetworkConfig } from './network/get-network-config.ts';
import { listValidators } from './network/list-validators.ts';
import { postRpc } from './node/post-rpc.ts';
import { getRegistryEntity } from './registry/get-entity.ts';
import { getManifestSchema, getRegistryManifest } from './registry/get-manifest.ts';
import { getRegistryStats } from './registry/get-stats.ts';
import { listTokenizedAssets } from './registry/list-assets.ts';
import { listRegistryLabels } from './registry/list-labels.ts';
import { listRegistryStrings } from './registry/list-strings.ts';
import { search } from './search/search.ts';
import { listCheckpoints, postCheckpoint } from './semantic/checkpoints.ts';
import { getSemanticHistory } from './semantic/get-history.ts';
import { getKnot } from './semantic/get-knot.ts';
import { searchKnots } from './semantic/search-knots.ts';
import { listSqlViews } from './sql/list-sql-views.ts';
import { runSql } from './sql/run-sql.ts';
import { deleteSavedSql, getSavedSql, listSavedSql, saveSql, saveSqlVersion } from './sql/saved-sql.ts';
import { cancelSqlQuery, getSqlQuery } from './sql/sql-query.ts';
import { deleteSqlSchedule, getSqlResult, getSqlSchedule, listSqlResults, setSqlSchedule } from './sql/sql-schedule.ts';
import { getStats } from './stats/get-stats.ts';
import { getAudit } from './status/get-audit.ts';
import { getStatus } from './status/get-status.ts';
import { getSupplyCirculating, getSupplyReconciliation, getSupplyTotal } from './supply/get-supply.ts';
import { listBalanceChanges } from './tokens/balance-changes.ts';
import { getToken } from './tokens/get-token.ts';
import { listHolderChanges } from './tokens/holder-changes.ts';
import { listTokenHolders } from './tokens/list-holders.ts';
import { listNftTokens } from './tokens/list-nft-tokens.ts';
import { listTokens } from './tokens/list-tokens.ts';
import { listTokenTransfers, listTransfers } from './tokens/list-transfers.ts';
import { getNftPicture, getNftToken } from './tokens/nft-token.ts';
import { getTokenMerkleTree } from './tokens/token-merkle-tree.ts';
import { getTokenSnapshot } from './tokens/token-snapshot.ts';
import { getStanding } from './transactions/get-standing.ts';
import { getTransaction } from './transactions/get-transaction.ts';
import { listPendingTransactions } from './transactions/list-pending.ts';
import { listLatestTransactions, listTransactions } from './transactions/list-transactions.ts';
import { getWithdrawal, postWithdrawal, rebroadcastWithdrawal } from './withdrawals/withdrawals.ts';

export const routes = [
  getStats,
  listCharts,
  getChart,
  queryStats,
  listLines,
  getLine,
  listCounters,
  getUpdateStatus,
  getStatus,
  getAudit,
  listAnchors,
  listLatestAnchors,
  getAnchor,
  listTransactions,
  listLatestTransactions,
  getTransaction,
  getStanding,
  listPendingTransactions,
  listTransfers,
  search,
  listTopAccounts,
  getCoinSnapshot,
  getCoinMerkleTree,
  listCoinChanges,
  getAccount,
  getAccountSnapshot,
  getBalanceHistory,
  getStatement,
  getReservesMessage,
  postReserves,
  listAccountTransactions,
  listInternalTransfers,
  listAccountTokens,
  listAccountNfts,
  listTokens,
  listHolderChanges,
  getToken,
  listTokenHolders,
  getTokenSnapshot,
  getTokenMerkleTree,
  listBalanceChanges,
  listTokenTransfers,
  listNftTokens,
  getNftToken,
  getNftPicture,
  getContract,
  listVerifiedContracts,
  listProxyUpgrades,
  listSimilarContracts,
  listContractLogs,
  getPrice,
  listMarkets,
  getMarket,
  postMarket,
  deleteMarket,
  getSupplyReconciliation,
  getSupplyTotal,
  getSupplyCirculating,
  getGasOracle,
  listValidators,
  getNetworkConfig,
  listAiAgents,
  listTestimonies,
  listTokenizedAssets,
  getEcosystemDirectory,
  getRegistryStats,
  listRegistryStrings,
  listRegistryLabels,
  getRegistryManifest,
  getManifestSchema,
  getRegistryEntity,
  postIntegrationRequest,
  getIntegrationRules,
  getSelfCheck,
  certifyExport,
  exportRows,
  listChanges,
  listSigningKeys,
  getVerdict,
  postAddressSet,
  getAddressSet,
  patchAddressSet,
  deleteAddressSet,
  listSetTransfers,
  streamHeads,
  streamAddressSet,
  listReorgs,
  postNonce,
  postSignIn,
  getIdentity,
  postLinkNonce,
  linkWallet,
  unlinkWallet,
  createKey,
  listKeys,
  verifyKey,
  revokeKey,
  listPrivateTags,
  setPrivateTag,
  deletePrivateTag,
  listWatches,
  createWatch,
  getWatch,
  deleteWatch,
  replayWatch,
  getSemanticHistory,
  getKnot,
  postCheckpoint,
  listCheckpoints,
  postWithdrawal,
  getWithdrawal,
  rebroadcastWithdrawal,
  runSql,
  listSqlViews,
  getSqlQuery,
  cancelSqlQuery,
  saveSql,
  listSavedSql,
  getSavedSql,
  saveSqlVersion,
  deleteSavedSql,
  setSqlSchedule,
  getSqlSchedule,
  deleteSqlSchedule,
  listSqlResults,
  getSqlResult,
  getCompatible,
  getCompatibleV2,
  getCompatibleV1,
  listChains,
  postVerifyForm,
  postSourcifyVerify,
  postSourcifyMetadata,
  getSourcifyJob,
  getSourcifyContract,
  listSourcifyContracts,
  searchKnots,
  postRpc,
] as const;
