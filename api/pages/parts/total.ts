/** Size of a list with several pages: a number if known without reading the list, otherwise a link that counts. */

import { grouped } from '../../drawing/grouped.ts';
import { type Html, html } from '../../drawing/html.ts';
import { type FigureDeps, readFigures } from '../../read/chain/figures.ts';
import { type DatasetName, datasets } from '../../read/query/datasets.ts';
import type { SnapshotDeps } from '../../read/reader-deps.ts';
import { ignoreProblem } from '../ask.ts';

export type Total =
  | {
      readonly rows: number;
      /** Newest counted block. */
      readonly block: number;
    }
  | { readonly countUrl: string };

/** Filters of a list, named as in /stats/query. Times in Unix seconds, inclusive. */
type Conditions = Readonly<Record<string, string | undefined>>;

/** Returns a link to the query page that counts the rows of a dataset. */
export function countRows(of: DatasetName, conditions: Conditions): Total {
  const names: readonly string[] = ['from', 'to', ...datasets[of].filters];
  const query = new URLSearchParams({ of, measure: 'count', resolution: 'all' });
  for (const [name, value] of Object.entries(conditions)) {
    if (value === undefined) continue;
    if (!names.includes(name)) throw new Error(`${of} have no filter ${name}, so the count would be wrong`);
    query.set(name, value);
  }
  return { countUrl: `/charts/query?${query}` };
}

/**
 * Returns the number of blocks or transactions of the chain; undefined if unavailable, or if the index lacks early
 * blocks.
 */
export const readChainTotal = (
  deps: SnapshotDeps & FigureDeps,
  name: 'anchors' | 'transactions',
): Promise<Total | undefined> =>
  deps.snapshots
    .run(async (state) =>
      state.startBlock > 0 ? undefined : { rows: (await readFigures(deps, state))[name], block: state.head },
    )
    .catch(ignoreProblem);

/** @param what plural noun for the rows, such as "transactions" */
export const totalView = (total: Total, what: string): Html =>
  'rows' in total
    ? html`<span class="muted">${grouped(total.rows)} ${what} up to block ${grouped(total.block)}</span>`
    : html`<a rel="nofollow" href="${total.countUrl}">Count all matching ${what}</a>`;
