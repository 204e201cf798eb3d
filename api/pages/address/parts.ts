import type { z } from 'zod';
import { grouped } from '../../drawing/grouped.ts';
import { type Html, html } from '../../drawing/html.ts';
import type { Decoded } from '../../read/contracts/decode/decode.ts';
import { type DecodeDeps, decodeTransaction } from '../../read/contracts/decode/decode-transaction.ts';
import { readTokenNames } from '../../read/tokens/token-names.ts';
import { listAccountTransactions } from '../../routes/accounts/list-account-transactions.ts';
import { listInternalTransfers } from '../../routes/accounts/list-internal-transfers.ts';
import { listContractLogs } from '../../routes/contracts/list-contract-logs.ts';
import { listTransfers } from '../../routes/tokens/list-transfers.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { callRoute, type RouteDeps, readParameters, returnProblem } from '../ask.ts';
import { type ReadTabDeps, readTab, writeTab } from '../contract/function-tabs.ts';
import { sourceTab } from '../contract/source-tab.ts';
import type { PageRequest } from '../page.ts';
import { decodedView, hexView } from '../parts/decoded.ts';
import { type FilterField, leastCoinField, listFields, readDates, readLeast, withForm } from '../parts/filters.ts';
import { blockLink, partyLink, txLink } from '../parts/links.ts';
import { methodField, readMethod } from '../parts/method-filter.ts';
import { emptyList, firstPage, linkTo, pager } from '../parts/pager.ts';
import { table } from '../parts/table.ts';
import { when } from '../parts/time.ts';
import { leastField, readLeastTokens } from '../parts/token-filter.ts';
import { countRows, type Total } from '../parts/total.ts';
import { transactionTable } from '../parts/transactions.ts';
import { transferTable } from '../parts/transfers.ts';
import { movedCoin } from '../parts/worth.ts';
import { sentence } from '../problem-page.ts';
import { type BalanceDeps, balanceTab } from './balance.ts';
import { type HoldingDeps, nftsTab, tokensTab } from './holdings.ts';

export type AccountPart =
  | 'transactions'
  | 'internal'
  | 'transfers'
  | 'tokens'
  | 'nfts'
  | 'events'
  | 'balance'
  | 'contract'
  | 'read'
  | 'write';
export type PartDeps = BalanceDeps &
  HoldingDeps &
  ReadTabDeps &
  DecodeDeps &
  RouteDeps<
    typeof listAccountTransactions | typeof listInternalTransfers | typeof listTransfers | typeof listContractLogs
  >;
type Part = (deps: PartDeps, request: PageRequest, address: string) => Promise<Html>;

const transactions: Part = (deps, request, address) =>
  withForm(request, historyFields, async (form) => {
    const { query } = request;
    const requested: Record<string, string> = {
      limit: '25',
      ...readParameters(query, 'cursor', 'limit', 'order', 'role', 'from', 'to', 'fromTime', 'toTime', 'counterparty'),
      ...readDates(query),
      ...readLeast(query),
      ...(await readMethod(deps, query)),
    };
    const page = await callRoute(deps, listAccountTransactions, { address }, requested);
    const { coverage } = page;
    // `coverage.internal` is about blocks whose internal transfers are indexed
    const lacksInternal = !coverage.internal && [undefined, 'internal'].includes(requested['role']);
    const empty =
      page.source === 'addr-index-empty' && coverage.complete
        ? `No matching transactions. The index is complete${lacksInternal ? ', apart from internal transfers' : ''}.`
        : emptyList(page, 'transactions', 'No matching transactions were found, but the index is not complete yet.');
    const notice =
      lacksInternal &&
      html`<p class="notice">Internal transfers are not indexed in all blocks. Transactions that reach this address only by internal transfers may be missing here.</p>`;
    return html`${form}${notice}${transactionTable(request, page.transactions, { empty, self: address })}${pager(request, page, 'transactions', countTransactions(address, requested))}`;
  });

/**
 * Returns a link that counts the list. Undefined for filters that statistics queries lack (blocks, other roles) or
 * apply differently (method; counterparty, for creations).
 */
function countTransactions(address: string, requested: Readonly<Record<string, string>>): Total | undefined {
  const { role, counterparty, method, minValue, fromTime, toTime, from, to } = requested;
  if ([counterparty, method, from, to].some((given) => given !== undefined)) return undefined;
  if (role !== 'from' && role !== 'to') return undefined;
  const side = role === 'from' ? { sender: address } : { recipient: address };
  return countRows('transactions', { ...side, minValue, from: fromTime, to: toTime });
}

const partnerFields: readonly FilterField[] = [
  { name: 'counterparty', label: 'With', placeholder: 'address' },
  leastCoinField,
  ...listFields,
];

const historyFields: readonly FilterField[] = [
  {
    name: 'role',
    label: 'Role',
    options: [
      ['', 'any'],
      ['from', 'sent'],
      ['to', 'received'],
      ['log', 'in a log'],
      ['internal', 'internal transfer'],
    ],
  },
  methodField,
  ...partnerFields,
];

const transfers: Part = (deps, request, address) =>
  withForm(request, transferFields, async (form) => {
    const requested: Record<string, string> = {
      limit: '25',
      ...readParameters(request.query, 'cursor', 'limit', 'order', 'token'),
      ...readDates(request.query),
      ...readSides(request.query, address),
      ...(await readLeastTokens(deps, request.query, readParameters(request.query, 'token').token)),
    };
    const page = await callRoute(deps, listTransfers, {}, { ...requested, address, standard: 'all' });
    const { from: sender, to: recipient, token, minValue, fromTime: from, toTime: to } = requested;
    // an account in addition to a sender or recipient would make the query read all transfers
    const account = sender === undefined && recipient === undefined ? address : undefined;
    const total = countRows('token_transfers', { account, sender, recipient, token, minValue, from, to });
    const names = await readTokenNames(
      deps,
      page.items.map(({ token }) => token),
    );
    return html`${form}${transferTable(request, page.items, names, { self: address, empty: emptyList(page, 'token transfers', 'No token transfers of this address match.') })}${pager(request, page, 'transfers', total)}`;
  });

const sideField: FilterField = {
  name: 'side',
  label: 'Direction',
  options: [
    ['', 'any'],
    ['from', 'sent'],
    ['to', 'received'],
  ],
};

const transferFields: readonly FilterField[] = [
  sideField,
  { name: 'counterparty', label: 'With', placeholder: 'address', sets: ['from', 'to'] },
  { name: 'token', label: 'Token', placeholder: 'contract' },
  leastField,
  ...listFields,
];

/** @throws ApiProblem bad_query */
function readSides(query: URLSearchParams, address: string): { readonly from?: string; readonly to?: string } {
  const { side, counterparty } = readParameters(query, 'side', 'counterparty');
  if (side === undefined && counterparty !== undefined)
    throw new ApiProblem('bad_query', 'choose sent or received to see the transfers with one other address');
  const other = counterparty === undefined ? {} : { [side === 'from' ? 'to' : 'from']: counterparty };
  return side === undefined ? {} : { [side === 'from' ? 'from' : 'to']: address, ...other };
}

const internal: Part = (deps, request, address) =>
  withForm(request, internalFields, async (form) => {
    const requested = {
      limit: '25',
      ...readParameters(request.query, 'cursor', 'limit', 'order', 'side', 'counterparty'),
      ...readDates(request.query),
      ...readLeast(request.query),
    };
    const page = await callRoute(deps, listInternalTransfers, { address }, requested).catch(returnProblem);
    if (page instanceof ApiProblem) {
      if (page.code !== 'indexing') throw page;
      return html`${form}<p class="empty">${sentence(page.detail)}</p>`;
    }
    const { coverage } = page;
    const ranges = coverage.internalRanges.map(({ from, to }) => `${grouped(from)} to ${grouped(to)}`).join(', ');
    return html`${form}${!coverage.internal && html`<p class="notice">Internal transfers are indexed in blocks ${ranges} only. Others are missing here.</p>`}${table(
      {
        caption: 'Internal transfers',
        rows: page.items,
        empty: emptyList(page, 'internal transfers', 'No internal transfers of this address match.'),
        columns: [
          { title: 'Transaction', cell: (row) => txLink(row.txHash) },
          { title: 'Block', cell: (row) => blockLink(row.blockNumber) },
          { title: 'Time', cell: (row) => when(row.timestamp, request.now) },
          {
            title: 'Kind',
            cell: (row) => html`${row.kind}${row.error !== null && html` <span class="bad-text">reverted</span>`}`,
          },
          { title: 'From', cell: (row) => partyLink(row.from, address) },
          { title: 'To', cell: (row) => partyLink(row.to, address) },
          {
            title: 'Value',
            isNumber: true,
            cell: (row) => movedCoin(row.value, request.coin, row.error !== null),
          },
        ],
      },
    )}${pager(request, page, 'internal transfers')}`;
  });

const internalFields: readonly FilterField[] = [sideField, ...partnerFields];

const events: Part = (deps, request, address) =>
  withForm(request, eventFields, async (form) => {
    const requested: Record<string, string> = {
      limit: '25',
      ...readParameters(request.query, 'cursor', 'limit', 'order', 'topic0'),
      ...readDates(request.query),
    };
    const page = await callRoute(deps, listContractLogs, { address }, requested);
    const { topic0, fromTime: from, toTime: to } = requested;
    const pages = pager(request, page, 'events', countRows('logs', { contract: address, topic0, from, to }));
    const decoding = await decodeTransaction(deps, { to: null, input: '0x', logs: page.items });
    if (page.items.length === 0) return html`${form}<p class="empty">No events of this contract match.</p>${pages}`;
    const list = page.items.map((log) => eventView(request, log, decoding.log(log)));
    return html`${form}<ol class="logs">${list}</ol>${pages}`;
  });

const eventFields: readonly FilterField[] = [{ name: 'topic0', label: 'Event', placeholder: 'topic 0' }, ...listFields];

function eventView(request: PageRequest, log: EventRow, decoded: Decoded | undefined): Html {
  const { txHash, blockNumber, timestamp, topics, data } = log;
  const [topic] = topics;
  const only = topic && html` <a href="${linkTo(request, { topic0: topic, ...firstPage })}">only this event</a>`;
  return html`<li><p class="line">${txLink(txHash)} <span class="muted">block</span> ${blockLink(blockNumber)} ${when(timestamp, request.now)}${only}</p>${
    decoded ? decodedView(decoded) : html`<p class="muted">Unknown event</p>`
  }<details><summary>Topics and data</summary><ol class="topics" start="0">${topics.map((each) => html`<li><code class="hex whole">${each}</code></li>`)}</ol><p>${hexView(data)}</p></details></li>`;
}

type EventRow = z.infer<typeof listContractLogs.response>['items'][number];

export const accountParts: Readonly<Record<AccountPart, Part>> = {
  transactions,
  internal,
  transfers,
  tokens: tokensTab,
  nfts: nftsTab,
  events,
  balance: balanceTab,
  contract: sourceTab,
  read: readTab,
  write: writeTab,
};
