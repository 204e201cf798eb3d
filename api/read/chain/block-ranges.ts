import { type ChainState, isBackfilled } from '#sql/snapshot.ts';
import type { BlockRange } from '../../terms/cursor.ts';

/** Returns blocks hidden from readers: quarantined because of an error, or not backfilled yet. */
export function hiddenBlocks(state: ChainState): BlockRange[] {
  const ranges = state.quarantined.map((block) => ({ from: block, to: block }));
  if (!isBackfilled(state)) ranges.push({ from: state.backfilledBefore, to: state.followFrom - 1 });
  return ranges.filter(({ from, to }) => from <= to);
}

/** Returns a function that checks whether a block is hidden. */
export function hiddenIn(state: ChainState): (block: number) => boolean {
  const hidden = hiddenBlocks(state);
  return (block) => hidden.some(({ from, to }) => from <= block && block <= to);
}

/** Merges ranges that overlap or touch. While more than `maxRanges` remain, also merges the two closest ranges. */
export function joined(ranges: readonly BlockRange[], maxRanges = Number.POSITIVE_INFINITY): BlockRange[] {
  const merged: BlockRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const before = merged.at(-1);
    if (before && range.from <= before.to + 1)
      merged[merged.length - 1] = { ...before, to: Math.max(before.to, range.to) };
    else merged.push(range);
  }
  while (merged.length > maxRanges) {
    const pairs = merged.flatMap(({ from, to: end }, at) => {
      const next = merged[at + 1];
      return next ? [{ at, space: next.from - end, from, to: next.to }] : [];
    });
    const { at, from, to } = pairs.reduce((nearest, pair) => (pair.space < nearest.space ? pair : nearest));
    merged.splice(at, 2, { from, to });
  }
  return merged;
}
