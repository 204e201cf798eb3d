/** Page with several charts. Its URL names them, so a link shows others the same board. */

import { type Html, html } from '../drawing/html.ts';
import { queryTitle } from '../read/query/query-title.ts';
import type { queryStats } from '../routes/charts/query-stats.ts';
import { StatsQueryParameters } from '../routes/charts/stats-query-parameters.ts';
import { ApiProblem } from '../terms/errors.ts';
import { type RouteDeps, returnProblem } from './ask.ts';
import { type ChartPageDeps, readChart } from './chart.ts';
import { definePage, type PageView } from './page.ts';
import { chartFigure } from './parts/chart.ts';
import { readQuery, resultView } from './query.ts';

const maxItems = 6;
const maxTitle = 80;

type BoardDeps = ChartPageDeps & RouteDeps<typeof queryStats>;

interface Item {
  readonly kind: 'chart' | 'query';
  /** Id of a chart, optionally with `?` and parameters; or the parameters of a query. */
  readonly text: string;
}

interface Drawn {
  readonly title: string;
  readonly href: string;
  readonly content: Html;
  readonly index?: PageView['index'];
}

export const boardPage = definePage({
  id: 'board',
  path: '/board',
  maxAgeSeconds: 1,
  handle: async (deps: BoardDeps, { query, coin }) => {
    const title = (query.get('title') ?? '').trim().slice(0, maxTitle) || 'Board';
    const items = [...query].flatMap(([kind, text]): Item[] =>
      kind === 'chart' || kind === 'query' ? [{ kind, text }] : [],
    );
    const shown = items.slice(0, maxItems);
    const all: Drawn[] = [];
    // one chart at a time: the database load equals that of a page with one chart
    for (const item of shown) all.push(await draw(deps, item, coin));
    const hidden = items.length - shown.length;
    const sections = all.map((drawn, at) => view(drawn, linkWithout(shown, at, title)));
    // show the notice about incomplete data if any chart is incomplete
    const index = all.find((drawn) => drawn.index?.complete === false)?.index ?? all[0]?.index;
    return {
      title,
      index,
      body: html`<div class="title"><h1>${title}</h1><p>${shown.length === 0 ? 'A board shows up to 6 charts side by side.' : 'The address of this page is a link to this board.'}${hidden > 0 && ` ${hidden} more ${hidden === 1 ? 'is' : 'are'} not shown: a board has at most ${maxItems} charts.`}</p></div>
<p data-board></p>${
        shown.length === 0
          ? html`<p>Open a <a href="/charts">chart</a> or a <a href="/charts/query">query</a>, and pin it to your board. Your browser stores the board. Without scripts, write the board as a link: <code>/board?chart=newTxns&amp;chart=txnsFee</code>.</p>`
          : html`<form class="filter" action="/board">${shown.map(({ kind, text }) => html`<input type="hidden" name="${kind}" value="${text}">`)}<label>Title <input name="title" maxlength="${maxTitle}" value="${title}"></label> <button>Rename</button></form><div class="board" id="part">${sections}</div>`
      }`,
    };
  },
});

function linkWithout(items: readonly Item[], at: number, title: string): string {
  const others = items.filter((_, i) => i !== at);
  const query = new URLSearchParams(others.map(({ kind, text }): [string, string] => [kind, text]));
  query.set('title', title);
  return `/board?${query}`;
}

const view = ({ title, href, content }: Drawn, without: string) =>
  html`<section><h2><a href="${href}">${title}</a></h2>${content}<p><a href="${without}" data-remove>Remove from board</a></p></section>`;

async function draw(deps: BoardDeps, item: Item, coin: string): Promise<Drawn> {
  const drawn = await (item.kind === 'chart' ? drawChart(deps, item.text) : drawQuery(deps, item.text, coin)).catch(
    returnProblem,
  );
  if (!(drawn instanceof ApiProblem)) return drawn;
  const href = item.kind === 'chart' ? '/charts' : `/charts/query?${item.text}`;
  return { title: item.text.slice(0, maxTitle), href, content: html`<p class="empty">${drawn.detail}</p>` };
}

async function drawChart(deps: BoardDeps, text: string): Promise<Drawn> {
  const [id = '', search = ''] = text.split('?', 2);
  const { chart, of, reply } = await readChart(deps, id, new URLSearchParams(search));
  const title = of.subject === undefined ? chart.title : `${chart.title}: ${of.subject}`;
  return { title, href: `/charts/${chart.id}?${search}`, content: chartFigure(reply), index: reply.index };
}

async function drawQuery(deps: BoardDeps, text: string, coin: string): Promise<Drawn> {
  const { given, result } = await readQuery(deps, new URLSearchParams(text));
  if (result instanceof ApiProblem) throw result;
  const title = queryTitle(StatsQueryParameters.parse(given));
  return {
    title,
    href: `/charts/query?${text}`,
    content: resultView(result, { given, coin, canZoom: false }),
    index: result.index,
  };
}
