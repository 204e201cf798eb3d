import test from 'ava';
import { TransportError } from '#chain/errors.ts';
import type { Interval } from '#chain/intervals.ts';
import { fetchInHalves } from '#chain/rpc/fetch-in-halves.ts';

const range = { fromBlock: 1, toBlock: 20 };
const list = ({ fromBlock, toBlock }: Interval) =>
  Array.from({ length: toBlock - fromBlock + 1 }, (_, i) => fromBlock + i);

test('a range that is too large is fetched in parts, in order, and one bad block affects only itself', async (t) => {
  const fetched: number[] = [];
  const fetchRange = (bad?: number) => async (part: Interval) => {
    const blocks = list(part);
    if (blocks.length > 6 || (bad !== undefined && blocks.includes(bad))) throw new Error(`bad ${blocks.join()}`);
    fetched.push(...blocks);
    return blocks;
  };
  t.deepEqual((await fetchInHalves(range, fetchRange())).flat(), list(range));
  fetched.length = 0;
  await t.throwsAsync(fetchInHalves(range, fetchRange(7)), { message: 'bad 7' });
  t.deepEqual(
    fetched.toSorted((a, b) => a - b),
    list(range).filter((block) => block !== 7),
  );
});

test('a node that takes no requests is not asked for halves', async (t) => {
  let calls = 0;
  const fails = (error: Error) => async () => {
    calls++;
    throw error;
  };
  await t.throwsAsync(fetchInHalves(range, fails(new TransportError('refused', 'down'))));
  await t.throwsAsync(fetchInHalves(range, fails(new TransportError('throttled', 'slow down'))));
  t.is(calls, 2);
  await t.throwsAsync(fetchInHalves({ fromBlock: 1, toBlock: 2 }, fails(new TransportError('timeout', 'late'))));
  t.is(calls, 5);
});
