import test from 'ava';
import { findLastBlock } from '#pipeline/jobs/derive-knots.ts';

const list = (...counts: number[]) =>
  counts.map((count, i) => ({ block_number: String(10 + i), row_count: String(count) }));

test('a step of wallet events ends before its rows take too much memory, but has a block', (t) => {
  t.is(findLastBlock(list(1, 2, 3), 12), 12);
  t.is(findLastBlock(list(1, 60_000, 30_000, 20_000, 5), 14), 12);
  t.is(findLastBlock(list(300_000, 1), 11), 10);
  t.is(findLastBlock(list(5, 300_000, 1), 12), 10);
  t.is(findLastBlock([], 12), 12);
});
