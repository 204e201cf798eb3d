import { grouped } from '../../drawing/grouped.ts';
import { type Html, html } from '../../drawing/html.ts';
import { listAiAgents } from '../../routes/agents/list-agents.ts';
import { listTestimonies } from '../../routes/agents/list-testimonies.ts';
import { callRoute, type RouteDeps, readParameters } from '../ask.ts';
import { definePage, type PageRequest } from '../page.ts';
import { chainText } from '../parts/chain-text.ts';
import { type FilterField, withForm } from '../parts/filters.ts';
import { addressLink, blockLink, shortHex, txLink } from '../parts/links.ts';
import { pager } from '../parts/pager.ts';
import { table } from '../parts/table.ts';
import { currentTab, type Tab, tabs } from '../parts/tabs.ts';
import { when } from '../parts/time.ts';

const list: readonly Tab[] = [
  ['agents', 'Agents'],
  ['testimonies', 'Statements'],
];

const agentFields: readonly FilterField[] = [
  {
    name: 'status',
    label: 'Status',
    options: [
      ['', 'any'],
      ['active', 'active'],
      ['retired', 'retired'],
    ],
  },
];

const statementFields: readonly FilterField[] = [
  { name: 'agent', label: 'Agent', placeholder: 'address' },
  { name: 'anchor', label: 'About block', placeholder: 'number' },
  { name: 'subject', label: 'Subject', placeholder: '0x…' },
];

type AgentDeps = RouteDeps<typeof listAiAgents> & RouteDeps<typeof listTestimonies>;

export const agentsPage = definePage({
  id: 'agents',
  path: '/agents',
  maxAgeSeconds: 1,
  handle: async (deps: AgentDeps, request) => {
    const tab = currentTab(request, list);
    const [fields, view] =
      tab === 'agents' ? ([agentFields, agentsView] as const) : ([statementFields, testimoniesView] as const);
    const { index, body } = await withForm(request, fields, (form) => view(deps, request, form));
    return {
      title: 'AI agents',
      index,
      body: html`<h1>AI agents</h1><p class="muted">Programs that registered on the chain, and what they stated there about blocks, transactions and entities. Agents choose their own names.</p>${tabs(request, list, tab)}<section id="part">${body}</section>`,
    };
  },
});

async function agentsView(deps: AgentDeps, request: PageRequest, form: Html) {
  const { coin, now } = request;
  const page = await callRoute(
    deps,
    listAiAgents,
    {},
    { limit: '25', ...readParameters(request.query, 'cursor', 'status') },
  );
  const body: Html = html`${form}${table({
    caption: 'AI agents',
    rows: page.items,
    empty: page.source === null ? 'No contract for agents is configured.' : noAgents(request),
    columns: [
      { title: 'Agent', cell: (row) => html`${addressLink(row.address)}<small>${chainText(row.name, coin)}</small>` },
      {
        title: 'Claims to be',
        // no link: an agent can claim any id, even one that does not exist
        cell: (row) => html`<span class="hex" title="${row.entity}">${shortHex(row.entity)}</span>`,
      },
      { title: 'Status', cell: (row) => row.status },
      {
        title: 'Statements',
        isNumber: true,
        cell: (row) => html`<a href="/agents?tab=testimonies&amp;agent=${row.address}">${grouped(row.testimonies)}</a>`,
      },
      { title: 'Registered', cell: (row) => when(row.registered, now) },
      {
        title: 'Last statement',
        cell: (row) => (row.lastTestimonyBlock === null ? '–' : blockLink(row.lastTestimonyBlock)),
      },
    ],
  })}${pager(request, page, 'agents')}`;
  return { index: page.index, body };
}

const noAgents = ({ query }: PageRequest) => (query.get('status') ? 'No agents match.' : 'No agents registered yet.');

/** @param block decimal; an agent can state any number */
const aboutBlock = (block: string) => (Number.isSafeInteger(Number(block)) ? blockLink(Number(block)) : grouped(block));

async function testimoniesView(deps: AgentDeps, request: PageRequest, form: Html) {
  const { coin, now } = request;
  const requested = { limit: '25', ...readParameters(request.query, 'cursor', 'agent', 'anchor', 'subject') };
  const page = await callRoute(deps, listTestimonies, {}, requested);
  const body: Html = html`${form}${table({
    caption: 'Statements of AI agents',
    rows: page.items,
    empty: 'No statements match.',
    columns: [
      { title: 'Transaction', cell: (row) => txLink(row.txHash) },
      { title: 'Time', cell: (row) => when(row.timestamp, now) },
      {
        title: 'Agent',
        cell: (row) => html`${addressLink(row.agent)}<small>${chainText(row.agentName, coin)}</small>`,
      },
      { title: 'About block', isNumber: true, cell: (row) => aboutBlock(row.anchor) },
      {
        title: 'Subject',
        cell: (row) => html`<span class="hex" title="${row.subject}">${shortHex(row.subject)}</span>`,
      },
      {
        title: 'Document',
        cell: (row) => html`<small class="uri">${row.uri === null ? '–' : chainText(row.uri, coin, 'text')}</small>`,
      },
    ],
  })}${pager(request, page, 'statements')}`;
  return { index: page.index, body };
}
