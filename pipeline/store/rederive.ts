import type { Interval } from '#chain/intervals.ts';
import { chainTables, rollupTables } from '#sql/chain-tables.ts';
import { loadViews, type View } from '#sql/compile/views.ts';
import { isWhole } from '#sql/snapshot.ts';
import type { PipelineDeps } from '../deps.ts';
import { deriveFigures } from '../figures/derive-figures.ts';
import { pausePipelines } from '../workers/pause-pipelines.ts';
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
 * Rebuilds a derived table as a copy, then exchanges both: until then, readers see the old rows. Running pipelines only
 * wait for the newest blocks, or for all blocks if history is incomplete or a reorg happens meanwhile.
 * @returns row counts before and after
 * @throws RangeError for a table that isn't derived, or when nothing is stored
 */
export async function rederive(
  deps: RederiveDeps,
  table: string,
  onProgress: (share: number) => void = () => {},
): Promise<{ before: number; after: number }> {
  if (!rederivable().includes(table) || table === 'rollups')
    throw new RangeError(`table must be one of ${rederivable().join(', ')}, got ${table}`);
  const { state } = await loadStore(deps);
  const fresh = `${table}__rederived`;
  const copy = (fromBlock: number, toBlock: number) => copyRows(deps, { table, fresh, fromBlock, toBlock }, onProgress);
  await createCopy(deps, table, fresh);
  // only a reorg, which changes the generation, changes rows of these blocks
  const copied = isWhole(state) ? state.droppedThrough : state.startBlock - 1;
  await copy(state.startBlock, copied);
  return pausePipelines(deps, async ({ database, head }) => {
    const store = await loadStore({ ...deps, database });
    const isUnchanged = store.state.reorgGeneration === state.reorgGeneration;
    if (!isUnchanged) await createCopy(deps, table, fresh);
    await copy(isUnchanged ? copied + 1 : state.startBlock, Math.max(store.state.chainHead, store.state.head));
    const [before, after] = [await count(deps, table), await count(deps, fresh)];
    if (!(await head.isHighest())) throw new RangeError('another command has taken over: run this one again');
    await deps.database.command(`EXCHANGE TABLES ${table} AND ${fresh}`);
    await deps.database.command(`DROP TABLE ${fresh} SYNC`);
    // a new reorg generation makes readers drop cached values
    await store.publish(({ reorgGeneration }) => ({ reorgGeneration: reorgGeneration + 1 }));
    deps.log.warn({ event: 'rederived', table, before, after });
    return { before, after };
  });
}

/** @throws RangeError when nothing is stored */
async function loadStore(deps: RederiveDeps): Promise<ChainStateStore> {
  const store = new ChainStateStore(deps);
  if (!(await store.load())) throw new RangeError('nothing is stored yet: start the pipeline first');
  return store;
}

async function createCopy({ database }: RederiveDeps, table: string, fresh: string): Promise<void> {
  await database.command(`DROP TABLE IF EXISTS ${fresh} SYNC`);
  await database.command(`CREATE TABLE ${fresh} AS ${table}`);
}

interface Part extends Interval {
  readonly table: string;
  readonly fresh: string;
}

async function copyRows(
  deps: RederiveDeps,
  { table, fresh, fromBlock, toBlock }: Part,
  onProgress: (share: number) => void,
): Promise<void> {
  const view = loadViews().get(table);
  const step = view ? windowBlocks : figureBlocks;
  for (let from = fromBlock; from <= toBlock; from += step) {
    const to = Math.min(from + step - 1, toBlock);
    if (view) await deps.database.execute(buildInsert(fresh, view), { from_block: from, to_block: to });
    else for (const final of [0, 1] as const) await deriveFigures(deps, { final, fromBlock: from, toBlock: to }, fresh);
    onProgress(to / toBlock);
  }
}

const buildInsert = (table: string, { select }: View) => ({
  name: 'rederive',
  sql: `INSERT INTO ${table} SELECT * FROM (${select}) WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}`,
  parameters: ['from_block', 'to_block'],
});

/**
 * Deletes all rollups (sums per period). Pipelines compute them again; until then, readers add up rows.
 * @throws RangeError when nothing is stored
 */
export function reopenRollups(deps: RederiveDeps): Promise<void> {
  return pausePipelines(deps, async ({ database }) => {
    const held = { ...deps, database };
    const store = await loadStore(held);
    await store.retract((state) => ({ ...reopenedMarks(state), reorgGeneration: state.reorgGeneration + 1 }));
    await emptyGrownRollups(held);
    for (const table of [...rollupTables, 'chart_buckets', 'actor_buckets'])
      await database.execute('empty_table', { table });
    deps.log.warn({ event: 'rollups_reopened' });
  });
}

async function count({ database }: RederiveDeps, table: string): Promise<number> {
  return Number((await database.readOne('count_table', { table })).rows);
}
