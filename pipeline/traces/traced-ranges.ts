/** Finalized blocks whose internal calls are all stored. The table is written after the calls. */

import { type Interval, mergeIntervals } from '#chain/intervals.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { ChainState } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import type { StoreDeps } from '../deps.ts';

const stateNumbers = { done: 1, void: 2 } as const;
const compactFrom = 64;

let lastVersion = 0;

export async function readTraced(deps: StoreDeps): Promise<Interval[]> {
  return mergeIntervals(await readRanges(deps));
}

/** Returns the ranges of traced blocks, including unfinalized ones. */
export async function readTracedIn(deps: StoreDeps, state: ChainState): Promise<Interval[]> {
  const { finalized, head } = state;
  return mergeIntervals((await deps.database.read('traced_blocks', { finalized, head })).map(toInterval));
}

export async function recordTraced(
  { database }: Pick<StoreDeps, 'database'>,
  ranges: readonly Interval[],
): Promise<void> {
  if (ranges.length > 0) await write(database, ranges, 'done');
}

/** Removals and joins run one at a time: a join must not restore a removed range. */
let changing: Promise<unknown> = Promise.resolve();

function serialize(change: () => Promise<void>): Promise<void> {
  const done = changing.then(change);
  changing = done.catch(() => {});
  return done;
}

/** Removes blocks from the table. Call this before deleting their calls. */
export const forgetTraced = (deps: StoreDeps, window: Interval): Promise<void> => serialize(() => forget(deps, window));

async function forget(deps: StoreDeps, { fromBlock, toBlock }: Interval): Promise<void> {
  const hit = (await readRanges(deps)).filter((range) => range.fromBlock <= toBlock && range.toBlock >= fromBlock);
  if (hit.length === 0) return;
  const around = mergeIntervals(hit).flatMap((range) => [
    { fromBlock: range.fromBlock, toBlock: fromBlock - 1 },
    { fromBlock: toBlock + 1, toBlock: range.toBlock },
  ]);
  await write(deps.database, hit, 'void');
  await recordTraced(
    deps,
    around.filter((range) => range.fromBlock <= range.toBlock),
  );
}

/** Joins adjacent ranges. Writes joined ranges before it voids the parts, so a crash loses none. */
export const compactTraced = (deps: StoreDeps): Promise<void> => serialize(() => compact(deps));

/** Records blocks that were traced late, unless `isOutdated`: their rows may have been removed. */
export const recordTracedLate = (
  deps: StoreDeps,
  ranges: readonly Interval[],
  isOutdated: () => boolean,
): Promise<void> => serialize(async () => (isOutdated() ? undefined : recordTraced(deps, ranges)));

async function compact(deps: StoreDeps): Promise<void> {
  const ranges = await readRanges(deps);
  if (ranges.length < compactFrom) return;
  const joined = mergeIntervals(ranges);
  const joinedKeys = new Set(joined.map(getKey));
  const parts = ranges.filter((range) => !joinedKeys.has(getKey(range)));
  await recordTraced(deps, joined);
  if (parts.length > 0) await write(deps.database, parts, 'void');
}

const getKey = ({ fromBlock, toBlock }: Interval) => `${fromBlock}-${toBlock}`;

async function readRanges({ database }: StoreDeps): Promise<Interval[]> {
  return (await database.read('traced_ranges')).map(toInterval);
}

const toInterval = ({ from_block, to_block }: RowOf<'traced_ranges'>): Interval => ({
  fromBlock: Number(from_block),
  toBlock: Number(to_block),
});

async function write(
  database: StoreDeps['database'],
  ranges: readonly Interval[],
  state: keyof typeof stateNumbers,
): Promise<void> {
  // versions are times in µs, but must exceed those of a process whose clock was ahead
  const { version } = await database.readOne('traced_version');
  lastVersion = Math.max(Date.now() * 1_000, lastVersion + 1, Number(version) + 1);
  const w = new RowWriter(64 * ranges.length);
  for (const { fromBlock, toBlock } of ranges) {
    w.uint64(fromBlock);
    w.uint64(toBlock);
    w.uint8(stateNumbers[state]);
    w.uint64(lastVersion);
    w.uint64(Date.now());
    w.endRow();
  }
  await database.insertRowBinary('traced_ranges', w.view());
}
