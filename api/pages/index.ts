/** All pages, in navigation order. */
import { accountPage } from './account.ts';
import { accountsPage } from './accounts.ts';
import { addressPage } from './address.ts';
import { blockPage } from './block.ts';
import { blocksPage } from './blocks.ts';
import { boardPage } from './board.ts';
import { chartPage } from './chart.ts';
import { chartsPage } from './charts.ts';
import { checkpointsPage } from './checkpoints.ts';
import { verificationPage, verifyPage } from './contract/verify-page.ts';
import { contractsPage } from './contracts.ts';
import { entityPage } from './entity.ts';
import { gasPage } from './gas.ts';
import { homePage } from './home.ts';
import { marketPage } from './market.ts';
import { marketsPage } from './markets.ts';
import { morePage } from './more.ts';
import { nftPage } from './nft.ts';
import { pendingPage } from './pending.ts';
import { queryPage } from './query.ts';
import { agentsPage } from './registry/agents.ts';
import { assetsPage } from './registry/assets.ts';
import { directoryPage } from './registry/directory.ts';
import { labelsPage } from './registry/labels.ts';
import { reorgsPage } from './reorgs.ts';
import { searchPage } from './search.ts';
import { sqlPage } from './sql.ts';
import { statementPage } from './statement.ts';
import { statusPage } from './status.ts';
import { supplyPage } from './supply.ts';
import { tokenPage } from './token.ts';
import { tokensPage } from './tokens.ts';
import { transactionPage } from './transaction.ts';
import { transactionsPage } from './transactions.ts';
import { transfersPage } from './transfers.ts';
import { validatorsPage } from './validators.ts';

export const pages = [
  homePage,
  searchPage,
  blocksPage,
  blockPage,
  transactionsPage,
  transactionPage,
  addressPage,
  contractsPage,
  verifyPage,
  verificationPage,
  accountsPage,
  tokensPage,
  transfersPage,
  tokenPage,
  nftPage,
  entityPage,
  chartsPage,
  queryPage,
  sqlPage,
  boardPage,
  chartPage,
  validatorsPage,
  marketsPage,
  marketPage,
  supplyPage,
  statementPage,
  statusPage,
  gasPage,
  pendingPage,
  reorgsPage,
  checkpointsPage,
  labelsPage,
  directoryPage,
  agentsPage,
  assetsPage,
  accountPage,
  morePage,
] as const;
