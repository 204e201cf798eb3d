/** All pages, in the order of the navigation. */
import { accountsPage } from './accounts.ts';
import { addressPage } from './address.ts';
import { blockPage } from './block.ts';
import { blocksPage } from './blocks.ts';
import { chartPage } from './chart.ts';
import { chartsPage } from './charts.ts';
import { verificationPage, verifyPage } from './contract/verify-page.ts';
import { entityPage } from './entity.ts';
import { homePage } from './home.ts';
import { marketsPage } from './markets.ts';
import { nftPage } from './nft.ts';
import { searchPage } from './search.ts';
import { statusPage } from './status.ts';
import { supplyPage } from './supply.ts';
import { tokenPage } from './token.ts';
import { tokensPage } from './tokens.ts';
import { transactionPage } from './transaction.ts';
import { transactionsPage } from './transactions.ts';
import { validatorsPage } from './validators.ts';

export const pages = [
  homePage,
  searchPage,
  blocksPage,
  blockPage,
  transactionsPage,
  transactionPage,
  addressPage,
  verifyPage,
  verificationPage,
  accountsPage,
  tokensPage,
  tokenPage,
  nftPage,
  entityPage,
  chartsPage,
  chartPage,
  validatorsPage,
  marketsPage,
  supplyPage,
  statusPage,
] as const;
