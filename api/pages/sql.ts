/** Page with a form for SQL queries. A script runs the query, so that the user's credentials stay in the browser. */

import { type Html, html } from '../drawing/html.ts';
import { parseInput } from '../http/parse-input.ts';
import type { QueryDeps } from '../read/query/stats-query.ts';
import type { ChainDeps, SnapshotDeps, StoreDeps } from '../read/reader-deps.ts';
import type { SqlSettings } from '../read/sql/prepared-query.ts';
import { scheduleMinutes } from '../read/sql/schedules.ts';
import { maxSqlLength } from '../read/sql/user-statement.ts';
import { queryStats, readQuerySql } from '../routes/charts/query-stats.ts';
import { readViews } from '../routes/sql/list-sql-views.ts';
import { readSaved, type SavedDeps } from '../routes/sql/saved-sql.ts';
import { ignoreProblem } from './ask.ts';
import { definePage } from './page.ts';
import { table } from './parts/table.ts';

const examples = [
  [
    'Holders that gained most of a token in 1,000 blocks',
    `SELECT address AS account, sum(if(direction = 'in', toInt256(value), -toInt256(value))) AS gained
FROM account_token_transfers
WHERE token = (SELECT token FROM token_transfers GROUP BY token ORDER BY count() DESC LIMIT 1)
  AND block_number > (SELECT max(block_number) FROM blocks) - 1000
GROUP BY account
ORDER BY gained DESC
LIMIT 20`,
  ],
  [
    'Share of the fees by method',
    `SELECT method_id, count() AS transactions, sum(fee) / 1e18 AS fees
FROM transactions
GROUP BY method_id
ORDER BY fees DESC
LIMIT 20`,
  ],
  [
    'Token balances of one account',
    `SELECT t.symbol, b.token_id, b.balance
FROM balances AS b JOIN tokens AS t ON t.address = b.token
WHERE b.holder = {account:Address}`,
    { account: '' },
  ],
] as const;

interface PageDeps extends StoreDeps, SavedDeps, QueryDeps, SnapshotDeps, ChainDeps {
  readonly settings: QueryDeps['settings'] & ChainDeps['settings'] & { readonly sql: SqlSettings };
}

type Saved = Awaited<ReturnType<typeof readSaved>>;

/** @throws ApiProblem not_found if the URL names a saved query that does not exist */
async function findSaved(deps: SavedDeps, query: URLSearchParams): Promise<Saved | undefined> {
  const id = query.get('saved');
  if (id === null) return undefined;
  const version = query.get('version');
  const found = readSaved(deps, id, version === null ? undefined : Number(version));
  // a link with an edited query works without the saved one
  return query.has('query') ? found.catch(ignoreProblem) : found;
}

function savedView({ id, versions, isScheduled }: Saved): Html {
  const { min, max } = scheduleMinutes;
  return html`<h2>Saved query</h2><p>Versions: ${versions.map(
    ({ version, createdAt }) =>
      html`<a href="/sql?saved=${id}&amp;version=${version}">${version}</a> (${createdAt.slice(0, 10)}) `,
  )}</p><p>${isScheduled && html`<span data-sql-runs>The newest version runs regularly.</span> `}<a href="/api/v1/sql/saved/${id}/results">Results of regular runs</a> · <a href="/api/v1/sql/saved/${id}">JSON</a></p>
<form class="filter" data-sql-schedule="${isScheduled && 'on'}" hidden><label>Run every <input type="number" name="minutes" min="${min}" max="${max}" value="1440" required> minutes</label><label>Send results to <input type="url" name="url" maxlength="2000" placeholder="https://example.com/hook"></label><button>Run regularly</button><button type="button" data-sql-show>Show the schedule</button><button type="button" data-sql-stop>Stop regular runs</button></form><p role="status" class="muted" data-sql-schedule-state></p>`;
}

/** Prefix of the field names for placeholder values, as in the page's script. */
const valuePrefix = 'value_';

/** Values of the link, otherwise those of the saved query. */
function readValues(query: URLSearchParams, saved: Saved | undefined): Readonly<Record<string, string>> {
  const given = [...query].filter(([name]) => name.startsWith(valuePrefix));
  return {
    ...saved?.parameters,
    ...Object.fromEntries(given.map(([name, value]) => [name.slice(valuePrefix.length), value])),
  };
}

/** Returns the SQL of a chart, for links from the form /charts/query. @throws ApiProblem bad_query */
async function readChartSql(deps: PageDeps, query: URLSearchParams): Promise<string | undefined> {
  const chart = query.get('chart');
  if (chart === null || query.has('query')) return undefined;
  return readQuerySql(deps, parseInput(queryStats, {}, new URLSearchParams(chart), deps.settings.chainId).query);
}

const toLink = (sql: string, values: Readonly<Record<string, string>> = {}) => {
  const named = Object.entries(values).map(([name, value]) => [valuePrefix + name, value]);
  return `/sql?${new URLSearchParams({ query: sql, ...Object.fromEntries(named) })}`;
};

export const sqlPage = definePage({
  id: 'sql',
  path: '/sql',
  maxAgeSeconds: 1,
  isUnpinned: true,
  handle: async (deps: PageDeps, { query }) => {
    const saved = await findSaved(deps, query);
    const chart = await readChartSql(deps, query);
    const given = (query.get('query') ?? saved?.sql ?? chart ?? examples[1][1]).slice(0, maxSqlLength);
    const values = readValues(query, saved);
    const isChanged = Object.entries(values).some(([name, value]) => saved?.parameters[name] !== value);
    const isEdited = saved !== undefined && (given.trim() !== saved.sql.trim() || isChanged);
    const { access } = deps.settings.sql;
    const views = await readViews(deps);
    const rights = {
      off: 'SQL is disabled on this service.',
      key: 'Sign in on the account page, or enter an API key.',
      open: 'You need no key to run a query. To save one, sign in on the account page, or enter an API key.',
    }[access];
    return {
      title: saved ? `${saved.title} · SQL` : 'SQL',
      body: html`<div class="title"><h1>${saved?.title ?? 'SQL'}</h1><p>${saved && `${isEdited ? 'Edited from version' : 'Version'} ${saved.version} of a saved query. `}Run your own queries in the SQL of ClickHouse. Each query reads one snapshot of the chain. ${rights}</p></div>
<form class="long" action="/sql" data-sql="${saved?.id}">${saved && html`<input type="hidden" name="saved" value="${saved.id}"><input type="hidden" name="version" value="${saved.version}">`}<label>Query <textarea name="query" rows="12" maxlength="${maxSqlLength}" spellcheck="false" required>${given}</textarea></label>
<div class="filter" data-sql-values>${Object.entries(values).map(
        ([name, value]) =>
          html`<label>${name} <textarea name="${valuePrefix}${name}" rows="1" spellcheck="false">${value}</textarea></label>`,
      )}</div>
<div class="filter"><label>Up to <select name="at"><option value="finalized">the finalized block</option><option value="head"${(query.get('at') ?? saved?.at ?? (chart && 'head')) === 'head' && html` selected`}>the newest block</option></select></label>${
        access !== 'off' &&
        html`<label>API key <input data-sql-key maxlength="100" autocomplete="off" spellcheck="false"></label>`
      }<span data-sql-tools></span><button>Link to this query</button></div></form>
<p role="status" class="muted" data-sql-state>With scripts, buttons here run the query. Without them, send it by <code>POST /api/v1/sql</code>.</p><div data-sql-result></div>
${saved && savedView(saved)}
<h2>Examples</h2><ul>${examples.map(([title, sql, values]) => html`<li><a href="${toLink(sql, values)}">${title}</a></li>`)}</ul>
<h2>Views</h2><p class="muted">Addresses and hashes are binary: write them as <code>'0x…'</code>. Amounts are in wei, or in the smallest unit of a token. The view <code>decoded_events_0x…</code> has the events of a contract with verified source code.</p>
${views.map(
  ({ name, description, fastFilters, columns }) =>
    html`<details><summary><code>${name}</code> ${description}</summary><p class="muted">Fast with ${fastFilters}.</p>${table(
      {
        caption: `Columns of ${name}`,
        rows: columns,
        empty: 'The view is not created yet.',
        columns: [
          { title: 'Column', cell: (column) => html`<code>${column.name}</code>` },
          { title: 'Type', cell: (column) => html`<code>${column.type}</code>` },
          { title: 'Meaning', cell: (column) => column.description },
        ],
      },
    )}</details>`,
)}`,
    };
  },
});
