/**
 * Finds the steps (added or removed blocks) whose rows are readable. A repair, quarantine or rewind can hide rows of
 * logged blocks. Their events must wait, or clients would miss them.
 */

import { hexDigits } from '#chain/codec/hex.ts';
import { getFirst } from '#runtime/lists.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { hiddenIn } from '../chain/block-ranges.ts';
import { describeGap } from '../chain/freshness.ts';
import { nothingIndexed } from '../chain/snapshot-reader.ts';
import type { SnapshotDeps, StoreDeps } from '../reader-deps.ts';
import type { AnchorEvent } from './anchor-events.ts';
import { readAdded } from './read-added.ts';
import { requiredConfirmations } from './rules.ts';

interface ShownSteps {
  readonly steps: readonly AnchorEvent[];
  /** Blocks whose rows the events need. readShown() checks them again on its own snapshot. */
  readonly heights: readonly number[];
}

/**
 * Returns the steps before the first step with unreadable rows.
 * @throws ApiProblem indexing if the first step's rows are unreadable
 */
export async function shownSteps(deps: StoreDeps & SnapshotDeps, steps: readonly AnchorEvent[]): Promise<ShownSteps> {
  const state = await stateWith(deps, Math.max(...steps.map(({ number }) => number)));
  const isHidden = unreadableIn(state);
  const doubtful = steps.filter((step) => step.kind === 'added' && listHeights(step).some(isHidden));
  const needed = doubtful.length === 0 ? listHeights : await neededAmong(deps, steps, doubtful);
  const cut = steps.findIndex((step) => needed(step).some(isHidden));
  if (cut === 0) throw hiddenProblem(state, needed(getFirst(steps)).filter(isHidden));
  const shown = cut === -1 ? steps : steps.slice(0, cut);
  return { steps: shown, heights: shown.flatMap(needed) };
}

/** Heights of the step's block and of the block that it makes creditable. */
function listHeights({ kind, number }: AnchorEvent): number[] {
  return kind === 'removed' ? [] : [number, number - requiredConfirmations].filter((height) => height >= 0);
}

/**
 * Returns a function that lists the heights whose rows a step needs. Omits a creditable block without events, and a
 * block that a later reorg removed: `orphaned_transactions` has its rows.
 */
async function neededAmong(deps: StoreDeps, steps: readonly AnchorEvent[], doubtful: readonly AnchorEvent[]) {
  const added = steps.filter(({ kind }) => kind === 'added').map(({ number }) => number);
  const lowest = Math.min(...added);
  const [removedAt, earlier] = await Promise.all([
    lastRemovals(deps, doubtful),
    // the steps contain every block from the lowest added block on
    readAdded(deps, Math.max(0, lowest - requiredConfirmations), Math.max(0, lowest - 1), getFirst(steps).sequence),
  ]);
  const logged = new Set([...earlier.map(({ number }) => number), ...added]);
  return (step: AnchorEvent) => {
    const isRemoved = (removedAt.get(step.hash) ?? -1) > step.sequence;
    return listHeights(step).filter((height) => logged.has(height) && !(isRemoved && height === step.number));
  };
}

/** Reads rows of blocks. @throws ApiProblem indexing if rows of one of the heights are hidden or removed */
export function readShown<T>(
  { snapshots }: SnapshotDeps,
  heights: readonly number[],
  read: (state: ChainState) => Promise<T>,
): Promise<T> {
  const readIfShown = async (state: ChainState) => {
    const hidden = heights.filter(unreadableIn(state));
    if (hidden.length > 0) throw hiddenProblem(state, hidden);
    return read(state);
  };
  return snapshots.run(readIfShown, { isExpensive: true });
}

function unreadableIn(state: ChainState): (height: number) => boolean {
  const isHidden = hiddenIn(state);
  return (height) => height > state.head || isHidden(height);
}

const hiddenProblem = (state: ChainState, heights: readonly number[]) =>
  new ApiProblem('indexing', describeGap(state, { from: Math.min(...heights), to: Math.max(...heights) }));

/** Returns the newest state if the cached one lacks the height. */
async function stateWith({ snapshots }: SnapshotDeps, height: number): Promise<ChainState> {
  let state = await snapshots.current();
  // current() may have joined a read that began before the step was logged
  if (state === undefined || state.head < height) state = await snapshots.fresh();
  if (!state) throw nothingIndexed();
  return state;
}

async function lastRemovals({ database }: StoreDeps, steps: readonly AnchorEvent[]): Promise<Map<string, number>> {
  const rows = await database.read('removed_anchors', {
    after: Math.min(...steps.map(({ sequence }) => sequence)),
    hashes: steps.map(({ hash }) => hexDigits(hash)),
  });
  return new Map(rows.map((row) => [row.block_hash, Number(row.last_sequence)]));
}
