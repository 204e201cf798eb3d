import { type InternalDeps, type InternalRow, readInternalRows } from '../../compatible/account-internal.ts';
import { CompatibleError } from '../../compatible/action.ts';
import { type Html, html } from '../../drawing/html.ts';
import { readCallTree } from '../../read/accounts/internal-calls/trace-live.ts';
import type { SignatureDeps } from '../../read/contracts/signatures/signatures.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { returnProblem } from '../ask.ts';
import { partyLink } from '../parts/links.ts';
import { table } from '../parts/table.ts';
import { movedCoin } from '../parts/worth.ts';
import { callTreeView, listSelectors } from './call-tree.ts';
import type { Detail } from './overview.ts';

/** Shows internal calls from the index, otherwise from a node. The tree of all calls always comes from a node. */
export async function internalView(
  deps: InternalDeps & SignatureDeps,
  transaction: Detail,
  coin: string,
): Promise<Html> {
  const [transfers, calls] = await Promise.all([
    transfersView(deps, transaction.txHash, coin),
    callsView(deps, transaction, coin),
  ]);
  return html`${transfers}${calls}`;
}

export async function readRowsOrReason(deps: InternalDeps, hash: string) {
  return readInternalRows(deps, hash).catch((error: unknown) => {
    if (error instanceof CompatibleError) return error.message;
    return `Unknown: ${returnProblem(error).detail}`;
  });
}

async function transfersView(deps: InternalDeps, hash: string, coin: string): Promise<Html> {
  const rows = await readRowsOrReason(deps, hash);
  if (typeof rows === 'string') return html`<p class="empty">${rows}.</p>`;
  const [first] = rows;
  if (!first)
    return html`<p class="empty">Contracts transferred no coins and created no contracts in this transaction.</p>`;
  const source = first.isIndexed ? 'from the index' : 'traced by a node just now';
  return html`<p class="muted">Coins that contracts transferred, and contracts that they created, in this transaction (${source}).</p>${table(
    {
      caption: 'Internal transfers',
      rows: rows.map(({ row }): InternalRow => row),
      empty: '',
      columns: [
        {
          title: 'Kind',
          cell: (row) => html`${row.type}${row.isError === '1' && html` <span class="bad-text">reverted</span>`}`,
        },
        { title: 'From', cell: (row) => partyLink(row.from) },
        { title: 'To', cell: (row) => partyLink(row.to || row.contractAddress || null) },
        { title: 'Value', isNumber: true, cell: (row) => movedCoin(row.value, coin, row.isError === '1') },
      ],
    },
  )}`;
}

async function callsView(
  deps: InternalDeps & SignatureDeps,
  { txHash: hash, blockHash: block_hash, blockNumber, receipt, ...transaction }: Detail,
  coin: string,
): Promise<Html | false> {
  const traced = {
    ...transaction,
    hash,
    block_hash,
    block_number: String(blockNumber),
    contract_address: receipt.contractAddress,
  };
  const root = await readCallTree(deps, traced).catch(returnProblem);
  if (root === undefined) return false;
  if (root instanceof ApiProblem) return html`<h2>Calls</h2><p class="empty">Unknown: ${root.detail}.</p>`;
  return callTreeView(root, transaction.gasUsed, await deps.signatures.methodNames(listSelectors(root)), coin);
}
