import { findGaps, type Interval } from '#chain/intervals.ts';
import { chainTables } from '#sql/chain-tables.ts';
import type { Database } from '#sql/client.ts';
import { loadViews, type View } from '#sql/compile/views.ts';
import { isBackfilled } from '#sql/snapshot.ts';
import { deriveFigures } from '../figures/derive-figures.ts';
import { readTraced } from '../traces/traced-ranges.ts';
import { type PauseDeps, pausePipelines } from '../workers/pause-pipelines.ts';
import { ChainStateStore } from './chain-state-store.ts';
import { emptyRollups, reopenedMarks } from './rollups.ts';

const windowBlocks = 100_000;
const figureBlocks = 1_000;
/** In the last attempt, pipelines wait for the complete copy. A reorg can make earlier ones fail. */
const maxAttempts = 3;
/** Maximum time for a copy, ms (7 days). */
const maxCopyMs = 7 * 86_400_000;
/** Follows the table name in a copy's name, before time and process id. unfinalized_partitions.sql skips copies. */
const copyMark = '__rederived_';

function rederivable(): string[] {
  const views = loadViews();
  return ['block_figures', ...chainTables.filter((table) => views.has(table)), 'rollups'];
}

/**
 * Rebuilds a derived table as a copy, then exchanges both; until then, readers see the old rows. Running pipelines wait
 * only while the newest blocks are copied, or all blocks if history is incomplete or reorgs interrupt every attempt.
 * @returns row counts before and after
 * @throws RangeError for a table that isn't derived, when nothing is stored, or while another command runs;
 *   ClaimLostError
 */
export async function rederive(
  deps: PauseDeps,
  table: string,
  onProgress: (share: number) => void = () => {},
): Promise<{ before: number; after: number }> {
  if (!rederivable().includes(table) || table === 'rollups')
    throw new RangeError(`table must be one of ${rederivable().join(', ')}, got ${table}`);
  const view = loadViews().get(table);
  const copy: Copy = { table, view, fresh: `${table}${copyMark}${Date.now()}_${process.pid}`, onProgress };
  const before = await count(deps, table);
  try {
    let isDone = false;
    for (let attempt = 1; !isDone; attempt++) {
      const start = await copyFinalized(deps, copy);
      const canRepeat = attempt < maxAttempts;
      isDone = await pausePipelines(deps, (database) => exchange(deps, copy, start, { database, canRepeat }));
    }
  } finally {
    await dropTable(deps, copy.fresh);
  }
  const after = await count(deps, table);
  deps.log.warn({ event: 'rederived', table, before, after });
  return { before, after };
}

interface Copy {
  readonly table: string;
  /** View that fills the table; undefined for block_figures. */
  readonly view: View | undefined;
  readonly fresh: string;
  readonly onProgress: (share: number) => void;
}

interface Start {
  readonly reorgGeneration: number;
  /** Last copied block. */
  readonly copied: number;
  readonly traced: readonly Interval[];
}

/** Copies rows that change only with a new reorg generation, or when later traces are stored. */
async function copyFinalized(deps: PauseDeps, copy: Copy): Promise<Start> {
  const { state } = await loadStore(deps);
  const traced = await readTraced(deps);
  const copied = isBackfilled(state) ? state.droppedThrough : state.startBlock - 1;
  await createCopy(deps, copy);
  await copyRows(deps, copy, { fromBlock: state.startBlock, toBlock: copied });
  return { reorgGeneration: state.reorgGeneration, copied, traced };
}

/**
 * Completes the copy and exchanges it, while no pipeline writes.
 * @returns false if the copied rows may have changed since
 */
async function exchange(
  deps: PauseDeps,
  copy: Copy,
  start: Start,
  { database, canRepeat }: { readonly database: Database; readonly canRepeat: boolean },
): Promise<boolean> {
  const store = await loadStore({ ...deps, database });
  const { startBlock, chainHead, head, reorgGeneration } = store.state;
  const toBlock = Math.max(chainHead, head);
  const isUnchanged = reorgGeneration === start.reorgGeneration;
  if (!isUnchanged && canRepeat) return false;
  if (isUnchanged) await copyLaterTraced(deps, copy, start);
  else await createCopy(deps, copy);
  await copyRows(deps, copy, { fromBlock: isUnchanged ? start.copied + 1 : startBlock, toBlock });
  await dropLeftCopies(deps, copy);
  await exchangeTables(deps, copy, database);
  // a new reorg generation makes readers drop cached values
  await store.publish((state) => ({ reorgGeneration: state.reorgGeneration + 1 }));
  return true;
}

/** @throws ClaimLostError if another process has taken over, before any exchange */
async function exchangeTables(deps: PauseDeps, { table, fresh }: Copy, database: Database): Promise<void> {
  const twin = `${fresh}_marker`;
  await deps.database.execute('create_marker', { table: twin });
  try {
    // no retries: a repeated exchange would restore the old rows
    await database.retryingFor(-1).execute('exchange_tables', { table, fresh, twin });
  } finally {
    await deps.database.execute('drop_marker', { table: twin });
  }
}

/** @throws RangeError when nothing is stored */
async function loadStore(deps: PauseDeps): Promise<ChainStateStore> {
  const store = new ChainStateStore(deps);
  if (!(await store.load())) throw new RangeError('nothing is stored yet: start the pipeline first');
  return store;
}

async function createCopy({ database }: PauseDeps, { table, fresh }: Copy): Promise<void> {
  await dropTable({ database }, `${fresh} SYNC`);
  await database.command(`CREATE TABLE ${fresh} AS ${table}`);
}

/** Copies rows of copied blocks that were traced after the copy began. */
async function copyLaterTraced(deps: PauseDeps, copy: Copy, { copied, traced }: Start): Promise<void> {
  if (!/\binternal_calls\b/.test(copy.view?.select ?? '')) return;
  for (const { fromBlock, toBlock } of (await readTraced(deps)).flatMap((range) => findGaps(range, traced)))
    await copyRows(deps, copy, { fromBlock, toBlock: Math.min(toBlock, copied) });
}

/** Drops copies that killed commands left behind, recognized by their age. */
async function dropLeftCopies({ database }: PauseDeps, { table }: Copy): Promise<void> {
  const prefix = table + copyMark;
  for (const { name } of await database.read('tables_by_prefix', { prefix }))
    if (Date.now() - Number.parseInt(name.slice(prefix.length), 10) > maxCopyMs) await dropTable({ database }, name);
}

/** Drops a table of any size. @source ClickHouse docs, max_table_size_to_drop: 50 GB by default */
const dropTable = ({ database }: Pick<PauseDeps, 'database'>, name: string): Promise<void> =>
  database.command(`DROP TABLE IF EXISTS ${name}`, { max_table_size_to_drop: '0' });

async function copyRows(
  deps: PauseDeps,
  { view, fresh, onProgress }: Copy,
  { fromBlock, toBlock }: Interval,
): Promise<void> {
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
  sql: `INSERT INTO ${table} SETTINGS max_partitions_per_insert_block = 1000 SELECT * FROM (${select}) WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}`,
  parameters: ['from_block', 'to_block'],
});

/**
 * Deletes all rollups (sums per period). Pipelines compute them again; until then, readers add up rows.
 * @throws RangeError when nothing is stored
 */
export function reopenRollups(deps: PauseDeps): Promise<void> {
  return pausePipelines(deps, async (database) => {
    const held = { ...deps, database };
    const store = await loadStore(held);
    await store.retract((state) => ({ ...reopenedMarks(state), reorgGeneration: state.reorgGeneration + 1 }));
    await emptyRollups(held);
    await store.assertHeld();
    deps.log.warn({ event: 'rollups_reopened' });
  });
}

async function count({ database }: PauseDeps, table: string): Promise<number> {
  return Number((await database.readOne('count_table', { table })).rows);
}
