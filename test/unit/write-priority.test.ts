import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { WritePriority } from '#pipeline/follow/write-priority.ts';

test('waiting work continues when the block is stored', async (t) => {
  const way = new WritePriority(60_000);
  await way.give();
  const order: string[] = [];
  const block = way.take(async () => {
    await sleep(30);
    order.push('block');
  });
  await Promise.all([block, way.give().then(() => order.push('job'))]);
  t.deepEqual(order, ['block', 'job']);
});

test('error of the prioritised work does not affect others and ends the wait', async (t) => {
  const way = new WritePriority(60_000);
  const failing = way.take(() => Promise.reject(new Error('the node is away')));
  await Promise.all([t.throwsAsync(failing, { message: 'the node is away' }), way.give()]);
});

test('waiting is limited, so that a busy pipeline does not starve jobs', async (t) => {
  const way = new WritePriority(40);
  const ended = new AbortController();
  let isStored = false;
  const long = way.take(async () => {
    await sleep(60_000, undefined, { signal: ended.signal }).catch(() => undefined);
    isStored = true;
  });
  await way.give();
  t.false(isStored);
  ended.abort();
  await long;
});
