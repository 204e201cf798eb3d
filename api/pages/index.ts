/** The only list of pages; its order is that of the navigation. */
import { addressPage } from './address.ts';
import { blockPage } from './block.ts';
import { blocksPage } from './blocks.ts';
import { homePage } from './home.ts';
import type { Page } from './page.ts';
import { transactionPage } from './transaction.ts';
import { transactionsPage } from './transactions.ts';

export const pages: readonly Page[] = [homePage, blocksPage, transactionsPage, blockPage, transactionPage, addressPage];
