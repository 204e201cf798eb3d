/** The richest accounts. */

import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { Cache } from '../../cache/cache.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { StoreDeps } from '../reader-deps.ts';

interface TopRecord {
  account: string;
  wei: string;
  block_number: string;
  total: string;
  accounts: string;
}

/** Ranks that are shown. */
export const maxRanks = 10_000;

export interface TopAccounts {
  readonly rows: readonly TopRecord[];
  readonly through: number;
}

/** With the richest accounts of a state. */
export interface TopAccountsDeps extends StoreDeps {
  readonly topAccounts: Cache<TopAccounts>;
}

/** The richest accounts, read once a state. @throws ApiProblem indexing before balances were read */
export const topAccounts = (deps: TopAccountsDeps, state: ChainState): Promise<TopAccounts> =>
  deps.topAccounts.of('top', state, () => readTop(deps, state));

async function readTop({ database, statements }: StoreDeps, state: ChainState): Promise<TopAccounts> {
  const [mark] = await database.read<{ through: string }>(getStatement(statements, 'job_mark'), {
    ...snapshotParameters(state),
    job: 'account_balances',
  });
  if (!mark) throw new ApiProblem('indexing', 'balances have not been read from the node yet');
  const rows = await database.read<TopRecord>(getStatement(statements, 'top_accounts'), { limit: maxRanks });
  return { rows, through: Number(mark.through) };
}
