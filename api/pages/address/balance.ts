import { formatEther } from 'ethers';
import type { z } from 'zod';
import { type Html, html } from '../../drawing/html.ts';
import { getBalanceHistory } from '../../routes/accounts/get-balance-history.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { callRoute, type RouteDeps, readParameters, returnProblem } from '../ask.ts';
import type { PageRequest } from '../page.ts';
import { chartFigure } from '../parts/chart.ts';
import { type FilterField, withForm } from '../parts/filters.ts';
import { counted } from '../parts/number.ts';
import { sentence } from '../problem-page.ts';

export type BalanceDeps = RouteDeps<typeof getBalanceHistory>;

const fields: readonly FilterField[] = [
  { name: 'fromBlock', label: 'From block', placeholder: 'first seen' },
  { name: 'toBlock', label: 'To block', placeholder: 'finalized' },
];

export const balanceTab = (deps: BalanceDeps, request: PageRequest, address: string): Promise<Html> =>
  withForm(request, fields, async (form) => {
    const requested = { points: '60', ...readParameters(request.query, 'fromBlock', 'toBlock') };
    const history = await callRoute(deps, getBalanceHistory, { address }, requested).catch(returnProblem);
    if (history instanceof ApiProblem) {
      if (history.code === 'bad_query') throw history;
      return html`${form}<p class="empty">${sentence(history.detail)}</p>`;
    }
    const points = history.items.flatMap(({ timestamp, balance }) =>
      timestamp === null ? [] : [{ timestamp, value: balance === null ? null : formatEther(balance), partial: false }],
    );
    return html`${form}${listGaps(history).map((gap) => html`<p class="notice">${gap}</p>`)}${chartFigure({ chart: { title: 'Balance', unit: request.coin, kind: 'growth' }, points, resolution: 'block' })}<p class="muted">Balance after finalized blocks at even distances, read from a node.</p>`;
  });

/** Explains why the chart lacks values or ends before the requested range. */
function listGaps({ items, complete }: z.infer<typeof getBalanceHistory.response>): string[] {
  const isPruned = items.some(({ balance }) => balance === null);
  const unindexed = items.filter(({ timestamp }) => timestamp === null).length;
  return [
    ...(isPruned ? ['No node has the state of some of these blocks, so the chart has no values for them.'] : []),
    ...(unindexed > 0 ? [`The chart lacks ${counted(unindexed, 'block')} that the index does not have.`] : []),
    ...(complete || isPruned ? [] : ['The newest blocks of this range are not final, so the chart ends before them.']),
  ];
}
