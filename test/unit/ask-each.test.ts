import test from 'ava';
import type { Endpoint } from '#chain/rpc/endpoint.ts';
import { askEach } from '#runtime/ask-each.ts';

test('an endpoint that hangs delays no others, and is asked again after its answer', async (t) => {
  const [quick, slow, broken] = [{}, {}, {}] as [Endpoint, Endpoint, Endpoint];
  const asked: Endpoint[] = [];
  const late = new WeakSet<Endpoint>();
  let answer = (_: number) => {};
  const hanging = new Promise<number>((resolve) => {
    answer = resolve;
  });
  const ask = async (endpoint: Endpoint): Promise<number> => {
    asked.push(endpoint);
    if (endpoint === broken) throw new Error('broken');
    return endpoint === slow ? hanging : 7;
  };
  const all = [slow, quick, broken];
  t.deepEqual(await askEach(all, ask, { late, graceMs: 50 }), [undefined, 7, undefined]);
  t.deepEqual(await askEach(all, ask, { late, graceMs: 50 }), [undefined, 7, undefined]);
  t.deepEqual(asked, [slow, quick, broken, quick, broken]);
  t.deepEqual(
    await askEach([slow, broken], (endpoint) => (endpoint === slow ? Promise.resolve(9) : ask(endpoint)), { late }),
    [9, undefined],
    'a late endpoint is asked if no other answers',
  );
  answer(8);
  await hanging;
  await new Promise(setImmediate);
  t.deepEqual(await askEach(all, ask, { late, graceMs: 50 }), [8, 7, undefined]);
});
