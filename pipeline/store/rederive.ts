import { chainTables, rollupTables } from '#sql/chain-tables.ts';
import { loadViews, type View } from '#sql/compile/views.ts';
import type { PipelineDeps } from '../deps.ts';
import { deriveFigures } from '../figures/derive-figures.ts';
import { ChainStateStore } from './chain-state-store.ts';
import { emptyGrownRollups, reopenedMarks } from './rollups.ts';

type RederiveDeps = Pick<PipelineDeps, 'database' | 'log'>;

const windowBlocks = 100_000;
const figureBlocks = 1_000;

function rederivable(): string[] {
  const views = loadViews();
  return ['block_figures', ...chainTables.filter((table) => views.has(table)), 'rollups'];
}

/**
 * Rebuilds a derived table as a copy, then exchanges both: until then, readers see the old rows. Stop the pipeline
 * first.
 * @returns row counts before and after
 * @throws RangeError for a table that isn't derived, or when nothing is stored
 */
export async function rederive(
  deps: RederiveDeps,
  table: string,
  onProgress: (share: number) => void = () => {},
): Promise<{ before: number; after: number }> {
  const view = loadViews().get(table);
  if (!rederivable().includes(table) || table === 'rollups')
    throw new RangeError(`table must be one of ${rederivable().join(', ')}, got ${table}`);
  const store = new ChainStateStore(deps);
  if (!(await store.load())) throw new RangeError('nothing is stored yet: start the pipeline first');
  const { startBlock, chainHead } = store.state;
  const { database } = deps;
  const fresh = `${table}__rederived`;
  await database.command(`DROP TABLE IF EXISTS ${fresh} SYNC`);
  await database.command(`CREATE TABLE ${fresh} AS ${table}`);
  const end = Math.max(chainHead, store.state.head);
  const step = view ? windowBlocks : figureBlocks;
  for (let from = startBlock; from <= end; from += step) {
    const to = Math.min(from + step - 1, end);
    if (view) await database.execute(buildInsert(fresh, view), { from_block: from, to_block: to });
    else for (const final of [0, 1] as const) await deriveFigures(deps, { final, fromBlock: from, toBlock: to }, fresh);
    onProgress((to - startBlock + 1) / (end - startBlock + 1));
  }
  const before = await count(deps, table);
  const after = await count(deps, fresh);
  await database.command(`EXCHANGE TABLES ${table} AND ${fresh}`);
  await database.command(`DROP TABLE ${fresh} SYNC`);
  // a new reorg generation makes readers drop cached values
  await store.publish((state) => ({ reorgGeneration: state.reorgGeneration + 1 }));
  deps.log.warn({ event: 'rederived', table, before, after });
  return { before, after };
}

const buildInsert = (table: string, { select }: View) => ({
  name: 'rederive',
  sql: `INSERT INTO ${table} SELECT * FROM (${select}) WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}`,
  parameters: ['from_block', 'to_block'],
});

/**
 * Deletes all rollups (sums per period). Stop the pipeline first.
 * @throws RangeError when nothing is stored
 */
export async function reopenRollups(deps: RederiveDeps): Promise<void> {
  const store = new ChainStateStore(deps);
  if (!(await store.load())) throw new RangeError('nothing is stored yet: start the pipeline first');
  await store.retract((state) => ({ ...reopenedMarks(state), reorgGeneration: state.reorgGeneration + 1 }));
  await emptyGrownRollups(deps);
  for (const table of [...rollupTables, 'chart_buckets', 'actor_buckets'])
    await deps.database.execute('empty_table', { table });
  deps.log.warn({ event: 'rollups_reopened' });
}

async function count({ database }: RederiveDeps, table: string): Promise<number> {
  return Number((await database.readOne('count_table', { table })).rows);
}
