import { html } from '../drawing/html.ts';
import { listCharts } from '../routes/charts/get-chart.ts';
import { callRoute, type RouteDeps } from './ask.ts';
import { definePage } from './page.ts';
import { presets } from './presets.ts';

const subjectLabels = {
  validator: 'Validator',
  method: 'Method id',
  token: 'Token',
  address: 'Address',
  pool: 'Pool',
} as const;

const card = (href: string, title: string, definition: string) =>
  html`<li><a class="card" href="${href}"><span class="name">${title}</span> <span class="muted">${definition}</span></a></li>`;

export const chartsPage = definePage({
  id: 'charts',
  path: '/charts',
  nav: 'Charts',
  maxAgeSeconds: 60,
  handle: async (deps: RouteDeps<typeof listCharts>) => {
    const { items } = await callRoute(deps, listCharts);
    const sections = [...new Set(items.map(({ section }) => section))];
    const body = html`<h1>Charts</h1>
<p class="muted found">${items.length} charts, up to date with the newest block. Each is available as a drawing, CSV and JSON. <a href="/charts/query">Build a chart of any filter</a>, or begin with one of <a href="#queries">these</a>.</p>
${sections.map(
  (section) =>
    html`<h2>${section}</h2><ul class="catalogue">${items
      .filter((chart) => chart.section === section)
      .map(({ id, title, definition, subject }) =>
        subject === null
          ? card(`/charts/${id}`, title, definition)
          : html`<li><form class="card" action="/charts/${id}"><span class="name">${title}</span> <span class="muted">${definition}</span> <label>${subjectLabels[subject]} <input name="subject" required placeholder="0x…"></label> <button>Show</button></form></li>`,
      )}</ul>`,
)}<h2 id="queries">Queries to change</h2><ul class="catalogue">${presets.map(([title, definition, parameters]) => card(`/charts/query?${parameters}`, title, definition))}</ul>`;
    return { title: 'Charts', body };
  },
});
