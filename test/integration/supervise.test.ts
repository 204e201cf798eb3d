import test from 'ava';
import { silentLog } from '#runtime/log.ts';
import { supervise } from '#runtime/supervise.ts';

/**
 * Supervises a child that ends by itself, and stops after three starts. @returns the exit code and the number of starts
 */
async function countStarts(mode: 'ready' | 'unready', isLostAtEnd: boolean) {
  const stop = new AbortController();
  let starts = 0;
  const code = await supervise({
    ...{ name: 'child', script: 'test/fixtures/ending-child.mjs', args: [mode], log: silentLog, isLostAtEnd },
    signal: stop.signal,
    onStart: () => {
      if (++starts === 3) stop.abort();
    },
  });
  return { code, starts };
}

test('a child that ended is restarted, unless its state is lost with it', async (t) => {
  t.deepEqual(await countStarts('ready', false), { code: 0, starts: 3 });
  t.deepEqual(await countStarts('ready', true), { code: 7, starts: 1 });
  t.deepEqual(await countStarts('unready', true), { code: 0, starts: 3 }, 'it had no state yet');
});
