/** Ranges of blocks. */
import type { BlockRange } from '../../terms/cursor.ts';

/** The ranges as few as can be, lowest first: what touches becomes one. @param most above it the nearest become one too */
export function joined(ranges: readonly BlockRange[], most = Number.POSITIVE_INFINITY): BlockRange[] {
  const few: BlockRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const before = few.at(-1);
    if (before && range.from <= before.to + 1) few[few.length - 1] = { ...before, to: Math.max(before.to, range.to) };
    else few.push(range);
  }
  while (few.length > most) {
    const pairs = few.flatMap(({ from, to: end }, at) => {
      const next = few[at + 1];
      return next ? [{ at, space: next.from - end, from, to: next.to }] : [];
    });
    const { at, from, to } = pairs.reduce((nearest, pair) => (pair.space < nearest.space ? pair : nearest));
    few.splice(at, 2, { from, to });
  }
  return few;
}
