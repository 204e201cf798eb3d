/**
 * Derives the events of wallets from settled blocks: in the background, window after window, so that neither the backfill nor
 * the head waits for them, and no reorg touches them.
 */

import type { PipelineDeps } from '../deps.ts';
import { deriveKnots } from '../knots/derive-knots.ts';
import { movingTokens, placeOf, readFacts, readWindow } from '../knots/read-window.ts';
import { storeKnots } from '../knots/store-knots.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { settledThrough } from '../store/rollups.ts';
import { knotsJob, readMark, writeMark } from './job-marks.ts';

/** A window holds about so many transactions: it grows and shrinks toward that. */
const wantedTransactions = 5_000;
const [fewestBlocks, mostBlocks] = [10, 5_000];
/** How long one step goes on before other jobs have their turn, ms. */
const stepMs = 5_000;

let windowBlocks = 100;

/** One step. @returns true when more is waiting */
export async function refreshKnots(deps: PipelineDeps, { state }: ChainStateStore): Promise<boolean> {
  const settled = settledThrough(state);
  if (settled === undefined) return false;
  const until = performance.now() + stepMs;
  let from = Math.max((await readMark(deps, knotsJob)) + 1, state.startBlock);
  while (from <= settled && performance.now() < until && !deps.signal.aborted) {
    const window = { fromBlock: from, toBlock: Math.min(settled, from + windowBlocks - 1) };
    const rows = await readWindow(deps, window);
    const facts = await readFacts(deps, window, movingTokens(rows));
    if (!facts) return true; // tokens have to be asked for their names first
    const { transactions, logsOf } = rows;
    const knots = transactions.flatMap((tx) => deriveKnots(tx, logsOf.get(placeOf(tx)) ?? [], facts));
    await storeKnots(deps.database, knots, new Map());
    await writeMark(deps, knotsJob, window.toBlock);
    from = window.toBlock + 1;
    const growth = Math.min(2, Math.max(0.5, wantedTransactions / Math.max(transactions.length, 1)));
    windowBlocks = Math.round(Math.min(mostBlocks, Math.max(fewestBlocks, windowBlocks * growth)));
  }
  return from <= settled;
}
