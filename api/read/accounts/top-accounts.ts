import { balancesJob, readMark } from '#sql/job-marks.ts';
import type { ChainState } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import type { Cache } from '../../cache/cache.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { StoreDeps } from '../reader-deps.ts';

export const maxRanks = 10_000;

export interface TopAccounts {
  readonly rows: readonly RowOf<'top_accounts'>[];
  readonly through: number;
}

export interface TopAccountsDeps extends StoreDeps {
  readonly topAccounts: Cache<TopAccounts>;
}

/**
 * @throws ApiProblem indexing before the pipeline has read balances from a node
 */
export const topAccounts = (deps: TopAccountsDeps, state: ChainState): Promise<TopAccounts> =>
  deps.topAccounts.of('top', state, () => readTop(deps));

async function readTop({ database }: StoreDeps): Promise<TopAccounts> {
  const through = await readMark({ database }, balancesJob);
  if (through < 0) throw new ApiProblem('indexing', 'balances have not been read from the node yet');
  const rows = await database.read('top_accounts', { limit: maxRanks });
  return { rows, through };
}
