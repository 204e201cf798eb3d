import test from 'ava';
import fc from 'fast-check';
import { bucketStart, bucketsBetween, nextBucket, resolutions } from '#api/terms/buckets.ts';

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
