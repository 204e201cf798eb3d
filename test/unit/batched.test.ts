import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import { Batched } from '#api/read/chain/batched.ts';
import type { ChainState } from '#sql/snapshot.ts';

const getState = (version: number) => ({ version, headHash: `0x${version}`, head: version }) as ChainState;

test('requests during a statement share the next one', async (t) => {
  const asked: (readonly string[])[] = [];
  const batched = new Batched<string, string>(async (_, keys) => {
    asked.push(keys);
    await sleep(5);
    return keys.map((key) => `${key}!`);
  }, 3);
  const first = batched.of(getState(1), 'a');
  await sleep(1);
  const others = ['b', 'c', 'd', 'e'].map((key) => batched.of(getState(1), key));
  t.deepEqual(await Promise.all([first, ...others]), ['a!', 'b!', 'c!', 'd!', 'e!']);
  t.deepEqual(asked, [['a'], ['b', 'c', 'd'], ['e']]);
});

test('slow statement delays the next one only briefly', async (t) => {
  const endings: (() => void)[] = [];
  const batched = new Batched<string, string>(async (_, keys) => {
    await new Promise<void>((resolve) => endings.push(resolve));
    return keys;
  }, 3);
  const both = [batched.of(getState(1), 'slow')];
  await sleep(1);
  both.push(batched.of(getState(1), 'next'));
  while (endings.length < 2) await sleep(5); // the second request is sent before the first is answered
  for (const end of endings.reverse()) end();
  t.deepEqual(await Promise.all(both), ['slow', 'next']);
});

test('error reaches only the requests that shared the statement', async (t) => {
  const batched = new Batched<string, string>(async (_, keys) => {
    await sleep(2);
    if (keys.includes('bad')) throw new Error('refused');
    return keys;
  }, 2);
  const asked = ['a', 'bad', 'b', 'c', 'd'].map((key) => batched.of(getState(1), key));
  const told = await Promise.allSettled(asked);
  t.deepEqual(
    told.map(({ status }) => status === 'fulfilled'),
    [false, false, true, true, true],
  );
});

test('each key is answered at its own state, whenever requests arrive', async (t) => {
  const request = fc.record({ version: fc.integer({ min: 1, max: 3 }), key: fc.nat(20), pause: fc.nat(2) });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 40 }), fc.integer({ min: 1, max: 5 }), async (requests, most) => {
      const batched = new Batched<number, string>(async ({ version }, keys) => {
        t.true(keys.length >= 1 && keys.length <= most);
        await sleep(1);
        return keys.map((key) => `${version}:${key}`);
      }, most);
      const answers: Promise<string>[] = [];
      for (const { version, key, pause } of requests) {
        answers.push(batched.of(getState(version), key));
        if (pause > 0) await sleep(pause - 1);
      }
      t.deepEqual(
        await Promise.all(answers),
        requests.map(({ version, key }) => `${version}:${key}`),
      );
    }),
    { numRuns: 30 },
  );
});
