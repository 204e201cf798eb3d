/**
 * Derives knots: wallet events such as a payment or a swap. They contain the counterparty's name, so all are derived
 * again when registry names change.
 */
import { knotsJob, readMarks } from '#sql/job-marks.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { StoreDeps } from '../deps.ts';
import { deriveKnots } from '../knots/derive-knots.ts';
import { readLabels, readNamesMark } from '../knots/read-labels.ts';
import {
  type BlockWindow,
  type FactDeps,
  movingTokens,
  readFacts,
  readWindow,
  toPlaceKey,
} from '../knots/read-window.ts';
import { storeKnots } from '../knots/store-knots.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { removeKnots } from '../store/remove-blocks.ts';
import { finalizedThrough } from '../store/rollups.ts';
import { writeMark } from './job-marks.ts';

/** Its mark is not a block, but `readNamesMark()` of the names in events. */
const namesJob = `${knotsJob} names`;
/** Marks: last block whose events may contain old names, and last block whose events were derived again since. */
const renameJob = `${knotsJob} with earlier names`;
const renamedJob = `${knotsJob} renamed`;
/** Target transactions and logs per step. */
const targetRows = 20_000;
const [minBlocks, maxBlocks] = [1, 5_000];
/** Maximum transactions, logs and token transfers per step of several blocks. One block can have 100,000. */
const maxRows = 100_000;
/** Maximum duration of a run, ms: other jobs wait for it. */
const stepMs = 5_000;

let windowBlocks = 100;

/**
 * Derives the wallet events of new blocks. Then repeats this for events that may have names of an old registry file.
 * @returns true when work is left
 */
export async function refreshKnots(deps: FactDeps, store: ChainStateStore): Promise<boolean> {
  const until = performance.now() + stepMs;
  await noteNewNames(deps);
  let removed: Step | undefined;
  while (performance.now() < until && !deps.signal.aborted) {
    const { reorgGeneration } = store.state; // before the marks, which a reorg lowers afterwards
    const marks = await readMarks(deps, knotsJob);
    const next = nextBlocks(store.state, marks, removed);
    if (next === undefined) return false;
    // do not shorten a step whose events were just removed, because all of them are missing
    const isRemoved = next.isRenamed && next.fromBlock === removed?.fromBlock;
    const step = isRemoved ? next : await cutStep(deps, store.state, next);
    const outcome = await deriveStep(deps, step, marks, () => store.state.reorgGeneration !== reorgGeneration);
    if (outcome === 'nameless') return true;
    if (outcome !== 'outdated') removed = outcome === 'removed' ? step : undefined;
  }
  return true;
}

/**
 * Derives the events of some blocks.
 * @returns outdated: blocks were replaced before the insert; removed: blocks were replaced during the insert, so the
 *   events were removed; nameless: a token name is not read yet
 */
async function deriveStep(
  deps: FactDeps,
  step: Step,
  marks: Marks,
  isOutdated: () => boolean,
): Promise<'done' | 'outdated' | 'removed' | 'nameless'> {
  const derived = await deriveWindow(deps, step).catch((error: unknown) => {
    resizeWindow(0.5);
    throw error;
  });
  if (derived === undefined) return 'nameless';
  if (isOutdated()) return 'outdated';
  // higher than the version of stored events, even if a clock was ahead
  await storeKnots(deps.database, derived.knots, derived.labels, Math.max(Date.now(), getVersion(marks) + 1));
  resizeWindow(Math.min(2, Math.max(0.5, targetRows / Math.max(derived.rows, 1))));
  if (isOutdated()) {
    // a repair during this step removed only events that were stored by then
    await removeKnots(deps, step);
    return 'removed';
  }
  await writeMark(deps, knotsJob, step.through, isOutdated);
  if (step.isRenamed && !isOutdated()) await writeMark(deps, renamedJob, step.toBlock);
  return 'done';
}

interface Step extends BlockWindow {
  readonly isRenamed: boolean;
  /** Last block with stored events once the step is done. */
  readonly through: number;
}
type Marks = Awaited<ReturnType<typeof readMarks>>;

const getThrough = (marks: Marks, job: string) => marks.get(job)?.through ?? -1;
const getVersion = (marks: Marks) => marks.get(knotsJob)?.version ?? 0;

/**
 * Returns the next blocks without events, else the next blocks whose events may contain old names.
 * @param removed step whose events were just removed; comes first if readers miss them
 */
function nextBlocks(state: ChainState, marks: Marks, removed: Step | undefined): Step | undefined {
  const finalized = finalizedThrough(state);
  if (finalized === undefined) return undefined;
  const through = getThrough(marks, knotsJob);
  const window = (after: number, last: number) => {
    const fromBlock = Math.max(after + 1, state.startBlock);
    return fromBlock > last ? undefined : { fromBlock, toBlock: Math.min(last, fromBlock + windowBlocks - 1) };
  };
  const shown = Math.min(through, finalized); // a repair can hide blocks before it lowers the mark
  if (removed?.isRenamed && removed.toBlock <= shown) return { ...removed, through: shown };
  const added = window(through, finalized);
  if (added) return { ...added, isRenamed: false, through: added.toBlock };
  const renamed = window(getThrough(marks, renamedJob), Math.min(getThrough(marks, renameJob), shown));
  return renamed && { ...renamed, isRenamed: true, through: shown };
}

/** Shortens a step whose rows would take too much memory. */
async function cutStep(deps: StoreDeps, state: ChainState, step: Step): Promise<Step> {
  const window = { from_block: step.fromBlock, to_block: step.toBlock };
  const blocks = await deps.database.read('changes_span', { ...snapshotParameters(state), ...window });
  const toBlock = findLastBlock(blocks, step.toBlock);
  return { ...step, toBlock, through: step.isRenamed ? step.through : toBlock };
}

/** Returns the last block up to which all rows fit into a step, at least the first block. */
export function findLastBlock(
  blocks: readonly { readonly block_number: string; readonly row_count: string }[],
  toBlock: number,
): number {
  let rows = 0;
  for (const [i, block] of blocks.entries()) {
    rows += Number(block.row_count);
    if (rows > maxRows && i > 0) return Number(block.block_number) - 1;
  }
  return toBlock;
}

function resizeWindow(growth: number): void {
  windowBlocks = Math.round(Math.min(maxBlocks, Math.max(minBlocks, windowBlocks * growth)));
}

/**
 * Returns the events, and the number of transactions and logs (of events if higher); undefined until all token names
 * are read.
 */
async function deriveWindow(deps: FactDeps, window: Step) {
  const rows = await readWindow(deps, window);
  const facts = await readFacts(deps, window, movingTokens(rows), window.isRenamed);
  if (!facts) return undefined;
  const knots = rows.transactions.flatMap((tx) =>
    deriveKnots(tx, rows.logsByTransaction.get(toPlaceKey(tx)) ?? [], facts),
  );
  const labels = await readLabels(deps, knots);
  const logs = [...rows.logsByTransaction.values()].reduce((sum, some) => sum + some.length, 0);
  return { knots, labels, rows: Math.max(rows.transactions.length + logs, knots.length) };
}

/** Requests that all events are derived again if names in the registry changed. */
async function noteNewNames(deps: StoreDeps): Promise<void> {
  const names = await readNamesMark(deps);
  const marks = await readMarks(deps, knotsJob);
  const known = getThrough(marks, namesJob);
  if (known === names) return;
  if (known >= 0) {
    await writeMark(deps, renamedJob, 0);
    await writeMark(deps, renameJob, Math.max(0, getThrough(marks, knotsJob)));
  }
  await writeMark(deps, namesJob, names);
}
