import test from 'ava';
import fc from 'fast-check';
import { toCsv } from '#api/routes/charts/csv.ts';
import { bucketStart, bucketsBetween, nextBucket, resolutions } from '#api/terms/buckets.ts';
import { parseIsoDay } from '#chain/codec/iso-time.ts';

test('buckets follow each other without gap, from time 0 on, and weeks begin on Monday', (t) => {
  fc.assert(
    fc.property(fc.constantFrom(...resolutions), fc.nat(4_000_000_000), (resolution, time) => {
      const start = bucketStart(resolution, time);
      t.true(0 <= start && start <= time && time < nextBucket(resolution, start));
      t.is(bucketStart(resolution, start), start);
      if (resolution === 'week' && start > 0) t.is(new Date(start * 1_000).getUTCDay(), 1);
    }),
  );
  t.deepEqual(bucketsBetween('week', bucketStart('week', 0), 1_000_000), [0, 345_600, 950_400]);
});

test('a day that does not exist is refused, not shifted', (t) => {
  t.is(parseIsoDay('2024-02-29'), Date.UTC(2024, 1, 29) / 1000);
  for (const text of ['2023-02-29', '2024-02-30', '2024-13-01', '2024-1-1', '', 'x'])
    t.is(parseIsoDay(text), undefined, text);
});

test('negative amounts stay numbers in CSV, formulas do not run', (t) => {
  const cells = ['-3', '-0.5', '-3+1', '=1', '@a', '+1', null, 7];
  t.is(
    toCsv(
      ['a'],
      cells.map((cell) => [cell]),
    ),
    "a\r\n-3\r\n-0.5\r\n'-3+1\r\n'=1\r\n'@a\r\n'+1\r\n\r\n7\r\n",
  );
});
