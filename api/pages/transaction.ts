import type { InternalDeps } from '../compatible/account-internal.ts';
import { type Html, html } from '../drawing/html.ts';
import { findBlock } from '../read/chain/find-block.ts';
import { type DecodeDeps, decodeTransaction } from '../read/contracts/decode/decode-transaction.ts';
import { readFailure } from '../read/contracts/failure-reason.ts';
import type { CoinPriceDeps } from '../read/market/recent-price.ts';
import type { TradeDeps } from '../read/market/trades.ts';
import type { SnapshotDeps, StoreDeps } from '../read/reader-deps.ts';
import { readTokenNames } from '../read/tokens/token-names.ts';
import { getStanding } from '../routes/transactions/get-standing.ts';
import { getTransaction } from '../routes/transactions/get-transaction.ts';
import { ApiProblem } from '../terms/errors.ts';
import { callRoute, type RouteDeps } from './ask.ts';
import { definePage, type PageRequest } from './page.ts';
import { fullHash } from './parts/links.ts';
import { currentTab, type Tab, tabs } from './parts/tabs.ts';
import type { Names } from './parts/transfers.ts';
import { balanceChangesView } from './transaction/balance-changes.ts';
import { internalView } from './transaction/internal-calls.ts';
import { type ChargedBlock, type Detail, overview } from './transaction/overview.ts';
import { logsView, rawView } from './transaction/parts.ts';
import { pendingView } from './transaction/pending.ts';
import { type SenderDeps, senderView } from './transaction/sender.ts';
import { readWorth } from './transaction/worth.ts';

const absentCodes: ReadonlySet<string> = new Set(['not_found', 'indexing', 'node_unavailable']);

export const transactionPage = definePage({
  id: 'transaction',
  path: '/tx/:hash',
  maxAgeSeconds: 1,
  absent: {
    title: 'This transaction is not on the chain',
    hint: 'If you just sent the transaction, it may not be in a block yet. This page checks again automatically. The transaction can also be in a block that is not indexed yet or that a reorg removed. Do not credit or debit it while neither this page nor a node shows it.',
  },
  handle: async (deps: TransactionPageDeps, request) => {
    const { hash } = request.params;
    const transaction = await callRoute(deps, getTransaction, { hash }).catch((error: unknown) => {
      // a node's pool may know the transaction even if the index is incomplete or behind
      if (error instanceof ApiProblem && absentCodes.has(error.code)) return error;
      throw error;
    });
    if (transaction instanceof ApiProblem) {
      // if both routes fail, show the error of the transaction, which says more
      const standing = await callRoute(deps, getStanding, { hash }).catch(() => undefined);
      if (standing) return pendingView(deps, request, standing);
      throw transaction;
    }
    const { tokenTransfers, txHash } = transaction;
    const list: readonly Tab[] = [
      ['overview', 'Overview'],
      ['logs', `Logs (${transaction.logCount})`],
      ['internal', 'Internal transfers'],
      ['changes', 'Balance changes'],
      ['raw', 'Raw'],
    ];
    const { finality, confirmations, requiredConfirmations } = transaction;
    const tab = currentTab(request, list);
    const names = await readTokenNames(
      deps,
      tokenTransfers.map(({ token }) => token),
    );
    const isMoving = tab === 'overview' && (finality !== 'final' || confirmations < requiredConfirmations);
    return {
      title: `Transaction ${txHash.slice(0, 14)}…`,
      index: transaction.index,
      body: html`<div class="title"><h1>Transaction</h1><p>${fullHash(txHash, 'transaction hash')}</p></div>
${tabs(request, list, tab)}
<section id="part" data-of="${transaction.blockHash}"${isMoving && html` data-live`}>${await tabViews[tab as keyof typeof tabViews](deps, request, { transaction, names })}</section>`,
    };
  },
});

type TransactionPageDeps = RouteDeps<typeof getTransaction> &
  RouteDeps<typeof getStanding> &
  InternalDeps &
  DecodeDeps &
  TradeDeps &
  CoinPriceDeps &
  SenderDeps;

interface Shown {
  readonly transaction: Detail;
  readonly names: Names;
}

type View = (deps: TransactionPageDeps, request: PageRequest, shown: Shown) => Promise<Html>;

const tabViews = {
  overview: async (deps, request, { transaction, names }) => {
    const { to, input, status, timestamp, blockNumber } = transaction;
    const [decoding, block, worth] = await Promise.all([
      decodeTransaction(deps, { to, input, logs: [], blockNumber }),
      readBlock(deps, transaction),
      readWorth(deps, timestamp, request.now),
    ]);
    const failure = status === 0 ? await readFailure(deps, transaction, decoding.abi) : undefined;
    return html`${gapNote(decoding)}${overview(request, transaction, { names, decoded: decoding.call, failure, block, worth })}`;
  },
  logs: async (deps, _, { transaction }) => {
    const decoding = await decodeTransaction(deps, transaction);
    return html`${gapNote(decoding)}${logsView(transaction, decoding)}`;
  },
  internal: (deps, { coin }, { transaction }) => internalView(deps, transaction, coin),
  changes: async (deps, { coin }, { transaction, names }) => {
    const block = await readBlock(deps, transaction);
    if (!block)
      return html`<p class="empty">A reorg has just removed the block of this transaction. Load the page again.</p>`;
    const [changes, sender] = await Promise.all([
      balanceChangesView(deps, { transaction, block, names, coin }),
      senderView(deps, transaction, block.parentHash, coin),
    ]);
    return html`${changes}${sender}`;
  },
  raw: async (_, __, { transaction }) => rawView(transaction),
} satisfies Record<string, View>;

const gapNote = ({ isComplete }: { readonly isComplete: boolean }) =>
  !isComplete &&
  html`<p class="muted">The code of some contracts was not read: their calls and events are decoded without their source code.</p>`;

/** @returns undefined if a reorg has just removed the block */
async function readBlock(
  deps: SnapshotDeps & StoreDeps,
  { blockNumber, blockHash }: Detail,
): Promise<(ChargedBlock & { readonly parentHash: string }) | undefined> {
  // by number, because a look-up by hash would read another index
  const block = await deps.snapshots.run((state) => findBlock(deps, state, blockNumber));
  if (block?.block_hash !== blockHash) return undefined;
  return { producer: block.miner_hex, baseFee: block.base_fee ?? undefined, parentHash: block.parent_hash };
}
