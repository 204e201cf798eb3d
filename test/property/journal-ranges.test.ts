import test from 'ava';
import fc from 'fast-check';
import { contains, mergeIntervals } from '#chain/intervals.ts';
import type { RangeSummary } from '#pipeline/encode/range-rows.ts';
import { areKept, type JournalRange, planJoins } from '#pipeline/store/journal-ranges.ts';

const hash = (block: number, branch = 0) => `0x${branch}${String(block).padStart(63, '0')}`;

const toRange = (fromBlock: number, toBlock: number, branch = 0): RangeSummary => ({
  fromBlock,
  toBlock,
  transactionCount: 2 * (toBlock - fromBlock + 1),
  logCount: 1,
  roleCount: 3,
  gasUsed: 5,
  parentHash: hash(fromBlock - 1, branch),
  lastHash: hash(toBlock),
  firstTime: 0,
  lastTime: 0,
});

const pieces = fc.array(
  fc.record({
    blocks: fc.integer({ min: 1, max: 700 }),
    gap: fc.constantFrom(0, 0, 0, 0, 0, 3),
    isOtherBranch: fc.constantFrom(false, false, false, false, false, false, false, true),
  }),
  { minLength: 1, maxLength: 40 },
);

function toRanges(list: readonly { blocks: number; gap: number; isOtherBranch: boolean }[]): RangeSummary[] {
  let next = 0;
  return list.map(({ blocks, gap, isOtherBranch }) => {
    const fromBlock = next + gap;
    next = fromBlock + blocks;
    return toRange(fromBlock, next - 1, isOtherBranch ? 1 : 0);
  });
}

const key = ({ fromBlock, toBlock }: RangeSummary) => `${fromBlock}-${toBlock}`;
const intervals = (ranges: readonly RangeSummary[]) =>
  mergeIntervals(ranges.map(({ fromBlock, toBlock }) => ({ fromBlock, toBlock })));
const sum = (ranges: readonly RangeSummary[]) => ranges.reduce((total, range) => total + range.transactionCount, 0);

function join(ranges: readonly RangeSummary[]): RangeSummary[] {
  const joins = planJoins(ranges);
  const gone = new Set(joins.flatMap(({ joined, parts }) => [joined, ...parts].map(key)));
  return [...ranges.filter((range) => !gone.has(key(range))), ...joins.map(({ joined }) => joined)];
}

test('joined ranges cover the same blocks, keep their sums and ends, and are never joined again', (t) => {
  fc.assert(
    fc.property(pieces, (list) => {
      const ranges = toRanges(list);
      const after = join(ranges);
      t.deepEqual(intervals(after), intervals(ranges));
      t.is(sum(after), sum(ranges));
      for (const { joined, parts } of planJoins(ranges)) {
        t.true(joined.toBlock - joined.fromBlock < 1_000);
        t.is(joined.parentHash, parts[0]!.parentHash);
        t.is(joined.lastHash, parts.at(-1)!.lastHash);
        // no range joins blocks without a parent link
        t.true(parts.slice(1).every((part) => part.parentHash === hash(part.fromBlock - 1)));
      }
      t.deepEqual(planJoins(after), []);
    }),
  );
});

test('a join that was interrupted before it voided all parts is completed', (t) => {
  fc.assert(
    fc.property(pieces, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), (list, isVoided) => {
      const ranges = toRanges(list);
      const joined = planJoins(ranges).map((each) => each.joined);
      const left = ranges.filter((range, i) => !(isVoided[i] && joined.some((whole) => contains(whole, range))));
      const sort = (rows: RangeSummary[]) => rows.sort((a, b) => a.fromBlock - b.fromBlock);
      const interrupted = [...joined, ...left.filter((range) => !joined.some((whole) => key(whole) === key(range)))];
      t.deepEqual(sort(join(interrupted)), sort(join(ranges)));
    }),
  );
});

test('the last range before a gap stays open, and long chains need few ranges', (t) => {
  const ranges = Array.from({ length: 1_000 }, (_, i) => toRange(i * 16, i * 16 + 15));
  const after = join(ranges);
  t.true(after.length < 80, String(after.length));
  t.deepEqual(planJoins([toRange(0, 15), toRange(16, 31)]), []);
});

test('a joined range is kept, a repaired or removed one is not', (t) => {
  const entry = (range: RangeSummary, state: JournalRange['state'], version: number) => ({ ...range, state, version });
  const before = [entry(toRange(0, 9), 'done', 2), entry(toRange(10, 19), 'done', 4)];
  const whole = toRange(0, 19);
  const voided = (first: number) => before.map((range, i) => entry(range, 'void', first + i));
  t.true(areKept(before, before));
  t.true(areKept(before, [entry(whole, 'done', 5), ...voided(6)]));
  t.true(areKept([...before, entry(toRange(20, 29), 'started', 5)], before), 'a range that was being stored');
  t.false(areKept(before, [entry(whole, 'done', 9), ...voided(6)]), 'stored again after it was voided');
  t.false(areKept(before, [entry(whole, 'void', 8), ...voided(6)]), 'joined, then removed');
  t.false(areKept(before, [before[0]!, entry(toRange(10, 19), 'done', 7)]), 'repaired with the same bounds');
  t.false(areKept(before, [before[0]!]), 'missing');
});
