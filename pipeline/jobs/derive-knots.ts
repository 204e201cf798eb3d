/**
 * Derives knots: wallet events like a payment or a swap. They contain the counterparty's name, so all are derived again
 * when the registry of names changes.
 */
import { knotsJob, readMark } from '#sql/job-marks.ts';
import type { PipelineDeps } from '../deps.ts';
import { deriveKnots } from '../knots/derive-knots.ts';
import { readLabels, readManifestMark } from '../knots/read-labels.ts';
import { type BlockWindow, movingTokens, readFacts, readWindow, toPlaceKey } from '../knots/read-window.ts';
import { storeKnots } from '../knots/store-knots.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { removeKnots } from '../store/remove-blocks.ts';
import { finalizedThrough } from '../store/rollups.ts';
import { writeMark } from './job-marks.ts';

const namesJob = 'knots names';
/** Target transactions and logs per step. */
const targetRows = 20_000;
const [minBlocks, maxBlocks] = [1, 5_000];
/** Maximum duration of a run, ms: other jobs wait meanwhile. */
const stepMs = 5_000;

let windowBlocks = 100;

/** Derives the wallet events of the next blocks. @returns true when work is left */
export async function refreshKnots(deps: PipelineDeps, store: ChainStateStore): Promise<boolean> {
  const until = performance.now() + stepMs;
  await restartForNewNames(deps);
  while (performance.now() < until && !deps.signal.aborted) {
    const { reorgGeneration } = store.state;
    const finalized = finalizedThrough(store.state);
    const from = Math.max((await readMark(deps, knotsJob)) + 1, store.state.startBlock);
    if (finalized === undefined || from > finalized) return false;
    const window = { fromBlock: from, toBlock: Math.min(finalized, from + windowBlocks - 1) };
    const derived = await deriveWindow(deps, window).catch((error: unknown) => {
      resizeWindow(0.5);
      throw error;
    });
    if (derived === undefined) return true;
    // if rows were removed meanwhile, derive the same blocks again
    const isOutdated = () => store.state.reorgGeneration !== reorgGeneration;
    if (isOutdated()) continue;
    await storeKnots(deps.database, derived.knots, derived.labels);
    // a repair may have replaced blocks meanwhile, and removed only the events that were stored by then
    if (isOutdated()) await removeKnots(deps, window);
    else await writeMark(deps, knotsJob, window.toBlock, isOutdated);
    resizeWindow(Math.min(2, Math.max(0.5, targetRows / Math.max(derived.rows, 1))));
  }
  return true;
}

function resizeWindow(growth: number): void {
  windowBlocks = Math.round(Math.min(maxBlocks, Math.max(minBlocks, windowBlocks * growth)));
}

/** Returns the events, and the number of transactions and logs; undefined while a token's name is missing. */
async function deriveWindow(deps: PipelineDeps, window: BlockWindow) {
  const rows = await readWindow(deps, window);
  const facts = await readFacts(deps, window, movingTokens(rows));
  if (!facts) return undefined;
  const knots = rows.transactions.flatMap((tx) =>
    deriveKnots(tx, rows.logsByTransaction.get(toPlaceKey(tx)) ?? [], facts),
  );
  const labels = await readLabels(deps, knots);
  const logs = [...rows.logsByTransaction.values()].reduce((sum, some) => sum + some.length, 0);
  return { knots, labels, rows: rows.transactions.length + logs };
}

async function restartForNewNames(deps: PipelineDeps): Promise<void> {
  const names = await readManifestMark(deps);
  const known = await readMark(deps, namesJob);
  if (known === names) return;
  if (known >= 0) await writeMark(deps, knotsJob, 0);
  await writeMark(deps, namesJob, names);
}
