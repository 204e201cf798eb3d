import test from 'ava';
import { freeCost, QueryTurns } from '#api/read/query/query-turns.ts';

test('expensive queries run one at a time, cheap ones at once, and no caller queues many', async (t) => {
  const turns = new QueryTurns();
  let running = 0;
  let most = 0;
  const ends: (() => void)[] = [];
  const query = async () => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => ends.push(resolve));
    running--;
  };
  const expensive = ['a', 'a', 'a', 'a', 'b'].map((caller) => turns.run(caller, freeCost + 1, query));
  await t.throwsAsync(turns.run('a', freeCost + 1, query), { message: /4 of your expensive queries are running/ });
  t.is(await turns.run('a', freeCost, async () => 'cheap'), 'cheap');
  for (const done of expensive) {
    while (ends.length === 0) await new Promise((resolve) => setImmediate(resolve));
    ends.shift()?.();
    await done;
  }
  t.is(most, 1);
  const failing = turns.run('a', freeCost + 1, () => Promise.reject(new Error('a fault')));
  await t.throwsAsync(failing, { message: 'a fault' });
  t.is(await turns.run('a', freeCost + 1, async () => 'next'), 'next');
  const many = Array.from({ length: 16 }, (_, i) => turns.run(`caller ${i}`, freeCost + 1, query));
  await t.throwsAsync(turns.run('late', freeCost + 1, query), { message: /many expensive queries/ });
  const release = setInterval(() => ends.shift()?.(), 1);
  await Promise.all(many);
  clearInterval(release);
});
