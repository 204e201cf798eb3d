import type { InternalDeps } from '../compatible/account-internal.ts';
import { readTokenNames } from '../compatible/token-names.ts';
import { readFailure } from '../read/contracts/failure-reason.ts';
import { readInterfaces } from '../read/contracts/interfaces-of.ts';
import type { SourceReadDeps } from '../read/contracts/read-source.ts';
import { getTransaction } from '../routes/transactions/get-transaction.ts';
import { callRoute, type RouteDeps } from './ask.ts';
import { html } from './html.ts';
import { definePage, type PageRequest } from './page.ts';
import { fullHash } from './parts/links.ts';
import { currentTab, type Tab, tabs } from './parts/tabs.ts';
import { overview } from './transaction/overview.ts';
import { internalView, logsView, rawView } from './transaction/parts.ts';

export const transactionPage = definePage({
  id: 'transaction',
  path: '/tx/:hash',
  maxAgeSeconds: 1,
  absent: {
    title: 'This transaction is not on the chain',
    hint: 'If you just sent the transaction, no block may contain it yet. This page checks again automatically. The transaction can also be in a block that is not indexed yet, or in a block that a reorg removed. Check its receipt on a node too. Do not credit or debit a transaction that neither this page nor the node shows.',
  },
  handle: async (deps: RouteDeps<typeof getTransaction> & InternalDeps & SourceReadDeps, request) => {
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
      const { to, logs, status } = transaction;
      const called = to !== null && transaction.input !== '0x' ? [to] : [];
      const emitters = tab === 'logs' ? logs.map(({ address }) => address) : [];
      const interfaces = await readInterfaces(deps, [...called, ...emitters]);
      if (tab === 'logs') return logsView(transaction, at.coin, interfaces);
      const abi = to === null ? undefined : interfaces.get(to);
      const failure = status === 0 ? await readFailure(deps.client, transaction, abi) : undefined;
      return overview(at, transaction, { names, abi, failure });
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
