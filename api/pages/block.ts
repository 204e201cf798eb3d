import type { z } from 'zod';
import { grouped } from '../drawing/grouped.ts';
import { html } from '../drawing/html.ts';
import { getAnchor } from '../routes/anchors/get-anchor.ts';
import { listTransactions } from '../routes/transactions/list-transactions.ts';
import { callRoute, type RouteDeps, readParameters } from './ask.ts';
import { definePage, type PageView } from './page.ts';
import { finalityBadge } from './parts/badges.ts';
import { dataView } from './parts/decoded.ts';
import { facts } from './parts/facts.ts';
import { blockLink, fullAddress, fullHash } from './parts/links.ts';
import { counted, exactCoin, gwei, percent } from './parts/number.ts';
import { pager } from './parts/pager.ts';
import { when } from './parts/time.ts';
import { transactionTable } from './parts/transactions.ts';
import { worth } from './parts/worth.ts';

export const blockPage = definePage({
  id: 'block',
  path: '/block/:id',
  maxAgeSeconds: 1,
  absent: {
    title: 'This block is not on the chain',
    hint: 'If you searched by hash, no indexed block has this hash. If you searched by number, the chain may not have this block yet: this page checks again automatically.',
  },
  handle: async (deps: RouteDeps<typeof getAnchor | typeof listTransactions>, request) => {
    const { coin, now } = request;
    const block = await callRoute(deps, getAnchor, { id: request.params.id });
    if (!block.canonical) return removedView(block);
    const { number } = block;
    const position = { fromBlock: String(number), toBlock: String(number), order: 'asc', limit: '25' };
    const list = await callRoute(
      deps,
      listTransactions,
      {},
      { ...position, ...readParameters(request.query, 'cursor') },
    );
    const around = html`<nav class="pager" aria-label="Previous and next block">${number > 0 && html`<a class="button" rel="prev" href="/block/${number - 1}">Block ${grouped(number - 1)}</a>`}${
      number < block.index.head &&
      html`<a class="button" rel="next" href="/block/${number + 1}">Block ${grouped(number + 1)}</a>`
    }</nav>`;
    const body = html`<div class="title"><h1>Block ${grouped(number)}</h1><p>${fullHash(block.hash, 'block hash')}</p></div>
${around}<section id="part" data-of="${block.hash}"${block.finality !== 'final' && html` data-live`}>${facts([
      ['State', html`${finalityBadge(block.finality)} <span>${counted(block.confirmations, 'confirmation')}</span>`],
      ['Time', when(block.timestamp, now)],
      ['Transactions', grouped(block.transactionCount)],
      ['Logs', grouped(block.logCount)],
      ['Producer', fullAddress(block.miner)],
      [
        'Blocks of this producer',
        html`<a href="/blocks?miner=${block.miner}&amp;to=${number}">this and earlier blocks</a>`,
      ],
      [
        'Gas used',
        html`${grouped(block.gasUsed)} <span class="muted">of ${grouped(block.gasLimit)}, ${percent(block.gasUsedRatio)}</span>`,
      ],
      block.baseFeePerGas !== null && ['Base fee', gwei(block.baseFeePerGas)],
      ['Fees', html`${exactCoin(block.fees, coin)}${worth(block.fees)}`],
      ['Burned', exactCoin(block.burned, coin)],
      ['Size', `${grouped(block.size)} bytes`],
      number > 0 && ['Parent', html`<a class="hex whole" href="/block/${block.parentHash}">${block.parentHash}</a>`],
    ])}</section><details class="more"><summary>Roots and extra data</summary>${facts([
      ['State root', html`<span class="hex whole">${block.stateRoot}</span>`],
      ['Transactions root', html`<span class="hex whole">${block.transactionsRoot}</span>`],
      ['Receipts root', html`<span class="hex whole">${block.receiptsRoot}</span>`],
      ['Extra data', dataView(block.extraData)],
      ['Uncles', block.uncleCount],
      ['Withdrawals', block.withdrawalCount],
    ])}</details>
<h2>Transactions</h2>${transactionTable(request, list.items, { empty: 'This block has no transactions.', isOfBlock: true })}
${pager(request, list, 'transactions')}`;
    return { title: `Block ${number}`, index: block.index, body };
  },
});

type Removed = Extract<z.infer<typeof getAnchor.response>, { canonical: false }>;

function removedView({ hash, number, replacedBy, index }: Removed): PageView {
  const body = html`<div class="title"><h1>Block ${grouped(number)}</h1><p>${fullHash(hash, 'block hash')}</p></div>
<div class="verdict bad"><p><span class="badge bad">Replaced</span> A reorg removed this block from the chain. Its transactions count only if another block includes them.</p><p><a href="/reorgs">Reorgs, and what became of each transaction</a></p></div>
${facts([['Replaced by', replacedBy === null ? 'no block yet' : html`${blockLink(number)} <a class="hex whole" href="/block/${replacedBy}">${replacedBy}</a>`]])}`;
  return { title: `Block ${number} (replaced)`, index, body };
}
