/**
 * Derives the events of wallets from settled blocks: in the background, window after window, so that neither the backfill nor
 * the head waits for them, and no reorg touches them. When the registry's names change, all of it is derived again: what a
 * counterparty is called is part of what an event is.
 */
import type { PipelineDeps } from '../deps.ts';
import { deriveKnots } from '../knots/derive-knots.ts';
import { readLabels, readManifestMark } from '../knots/read-labels.ts';
import { type BlockWindow, movingTokens, placeOf, readFacts, readWindow } from '../knots/read-window.ts';
import { storeKnots } from '../knots/store-knots.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { finalizedThrough } from '../store/rollups.ts';
import { knotsJob, readMark, writeMark } from './job-marks.ts';

/** Whose names the stored knots have. */
const namesJob = 'knots names';
/** A window holds about so many transactions and logs: it grows and shrinks toward that. */
const wantedRows = 20_000;
const [fewestBlocks, mostBlocks] = [1, 5_000];
/** How long one step goes on before other jobs have their turn, ms. */
const stepMs = 5_000;

let windowBlocks = 100;

/** One step. @returns true when more is waiting */
export async function refreshKnots(deps: PipelineDeps, store: ChainStateStore): Promise<boolean> {
  const until = performance.now() + stepMs;
  await beginAgainForNewNames(deps);
  while (performance.now() < until && !deps.signal.aborted) {
    const { reorgGeneration } = store.state;
    const finalized = finalizedThrough(store.state);
    const from = Math.max((await readMark(deps, knotsJob)) + 1, store.state.startBlock);
    if (finalized === undefined || from > finalized) return false;
    const window = { fromBlock: from, toBlock: Math.min(finalized, from + windowBlocks - 1) };
    const rows = await deriveWindow(deps, window).catch((error: unknown) => {
      resizeWindow(0.5); // what was too much in one piece is not tried again as it is
      throw error;
    });
    if (rows === undefined) return true; // tokens have to be asked for their names first
    // rows that were taken away meanwhile are derived again: the mark stays where it is
    if (store.state.reorgGeneration === reorgGeneration) await writeMark(deps, knotsJob, window.toBlock);
    resizeWindow(Math.min(2, Math.max(0.5, wantedRows / Math.max(rows, 1))));
  }
  return true;
}

function resizeWindow(growth: number): void {
  windowBlocks = Math.round(Math.min(mostBlocks, Math.max(fewestBlocks, windowBlocks * growth)));
}

/** @returns transactions and logs of the window; undefined while a token in it was not asked for its name */
async function deriveWindow(deps: PipelineDeps, window: BlockWindow): Promise<number | undefined> {
  const rows = await readWindow(deps, window);
  const facts = await readFacts(deps, window, movingTokens(rows));
  if (!facts) return undefined;
  const knots = rows.transactions.flatMap((tx) => deriveKnots(tx, rows.logsOf.get(placeOf(tx)) ?? [], facts));
  await storeKnots(deps.database, knots, await readLabels(deps, knots));
  return rows.transactions.length + [...rows.logsOf.values()].reduce((sum, logs) => sum + logs.length, 0);
}

async function beginAgainForNewNames(deps: PipelineDeps): Promise<void> {
  const names = await readManifestMark(deps);
  const known = await readMark(deps, namesJob);
  if (known === names) return;
  if (known >= 0) await writeMark(deps, knotsJob, 0);
  await writeMark(deps, namesJob, names);
}
