/** Intervals of block numbers, both ends inclusive. */
import { getFirst } from '#runtime/lists.ts';

export interface Interval {
  readonly fromBlock: number;
  readonly toBlock: number;
}

export const single = (block: number): Interval => ({ fromBlock: block, toBlock: block });

export function mergeIntervals(intervals: readonly Interval[]): Interval[] {
  const merged: { fromBlock: number; toBlock: number }[] = [];
  for (const { fromBlock, toBlock } of [...intervals].sort((a, b) => a.fromBlock - b.fromBlock)) {
    const last = merged.at(-1);
    if (last && fromBlock <= last.toBlock + 1) last.toBlock = Math.max(last.toBlock, toBlock);
    else merged.push({ fromBlock, toBlock });
  }
  return merged;
}

export function findGaps(whole: Interval, intervals: readonly Interval[]): Interval[] {
  const gaps: Interval[] = [];
  let next = whole.fromBlock;
  for (const { fromBlock, toBlock } of mergeIntervals(intervals)) {
    if (fromBlock > whole.toBlock) break;
    if (fromBlock > next) gaps.push({ fromBlock: next, toBlock: fromBlock - 1 });
    next = Math.max(next, toBlock + 1);
  }
  if (next <= whole.toBlock) gaps.push({ fromBlock: next, toBlock: whole.toBlock });
  return gaps;
}

export function firstUncovered(start: number, intervals: readonly Interval[]): number {
  return getFirst(findGaps({ fromBlock: start, toBlock: Number.MAX_SAFE_INTEGER }, intervals)).fromBlock;
}

export function sumOfBlocks(intervals: readonly Interval[], whole: Interval): number {
  const missing = findGaps(whole, intervals).reduce((sum, gap) => sum + gap.toBlock - gap.fromBlock + 1, 0);
  return Math.max(0, whole.toBlock - whole.fromBlock + 1) - missing;
}

export function overlaps(a: Interval, b: Interval): boolean {
  return a.fromBlock <= b.toBlock && a.toBlock >= b.fromBlock && a.fromBlock <= a.toBlock && b.fromBlock <= b.toBlock;
}

export const contains = (whole: Interval, part: Interval): boolean =>
  whole.fromBlock <= part.fromBlock && part.toBlock <= whole.toBlock;
