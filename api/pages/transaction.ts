import type { InternalDeps } from '../compatible/account-internal.ts';
import { readTokenNames } from '../compatible/token-names.ts';
import { type DecodeDeps, decodeTransaction } from '../read/contracts/decode/decode-transaction.ts';
import { readFailure } from '../read/contracts/failure-reason.ts';
import { getAnchor } from '../routes/anchors/get-anchor.ts';
import { getTransaction } from '../routes/transactions/get-transaction.ts';
import { callRoute, type RouteDeps } from './ask.ts';
import { type Html, html } from './html.ts';
import { definePage, type PageRequest } from './page.ts';
import { fullHash } from './parts/links.ts';
import { currentTab, type Tab, tabs } from './parts/tabs.ts';
import type { Names } from './parts/transfers.ts';
import { type Detail, overview } from './transaction/overview.ts';
import { internalView, logsView, rawView } from './transaction/parts.ts';

export const transactionPage = definePage({
  id: 'transaction',
  path: '/tx/:hash',
  maxAgeSeconds: 1,
  absent: {
    title: 'This transaction is not on the chain',
    hint: 'If you just sent the transaction, no block may contain it yet. This page checks again automatically. The transaction can also be in a block that is not indexed yet, or in a block that a reorg removed. Check its receipt on a node too. Do not credit or debit a transaction that neither this page nor the node shows.',
  },
  handle: async (deps: RouteDeps<typeof getTransaction> & InternalDeps & OverviewDeps, request) => {
    const transaction = await callRoute(deps, getTransaction, { hash: request.params.hash });
    const { tokenTransfers, txHash } = transaction;
    const list: readonly Tab[] = [
      ['overview', 'Overview'],
      ['logs', `Logs (${transaction.logCount})`],
      ['internal', 'Internal transfers'],
      ['raw', 'Raw'],
    ];
    const { finality, confirmations, requiredConfirmations } = transaction;
    const tab = currentTab(request, list);
    const names = await readTokenNames(
      deps,
      tokenTransfers.map(({ token }) => token),
    );
    const part = async (at: PageRequest) => {
      if (tab === 'internal') return internalView(deps, txHash, at.coin);
      if (tab === 'raw') return rawView(transaction);
      return decodedView(deps, at, { transaction, names, tab });
    };
    const isMoving = tab === 'overview' && (finality !== 'final' || confirmations < requiredConfirmations);
    return {
      title: `Transaction ${txHash.slice(0, 14)}…`,
      index: transaction.index,
      body: html`<div class="title"><h1>Transaction</h1><p>${fullHash(txHash, 'transaction hash')}</p></div>
${tabs(request, list, tab)}
<section id="part"${isMoving && html` data-live`}>${await part(request)}</section>`,
    };
  },
});

type OverviewDeps = DecodeDeps & RouteDeps<typeof getAnchor>;

interface Decodable {
  readonly transaction: Detail;
  readonly names: Names;
  readonly tab: string;
}

/** Shows the overview or the logs, decoded by the verified interfaces of the contracts. */
async function decodedView(
  deps: OverviewDeps,
  request: PageRequest,
  { transaction, names, tab }: Decodable,
): Promise<Html> {
  const { to, input, logs, status } = transaction;
  const decoding = await decodeTransaction(deps, { to, input, logs: tab === 'logs' ? logs : [] });
  const note =
    !decoding.isComplete &&
    html`<p class="muted">The code of some contracts was not read: their calls and events are decoded without their source code.</p>`;
  if (tab === 'logs') return html`${note}${logsView(transaction, request.coin, decoding)}`;
  const block = await callRoute(deps, getAnchor, { id: transaction.blockHash });
  const baseFee = block.canonical ? (block.baseFeePerGas ?? undefined) : undefined;
  const failure = status === 0 ? await readFailure(deps, transaction, decoding.abi) : undefined;
  return html`${note}${overview(request, transaction, { names, decoded: decoding.call, failure, baseFee })}`;
}
