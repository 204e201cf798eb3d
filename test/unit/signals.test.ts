import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import test from 'ava';
import { aborted, pause } from '#runtime/shutdown.ts';
import { joinSignals, withDeadline, withSignals } from '#runtime/signals.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a deadline ends a task although nothing else holds its signal when memory is collected', async (t) => {
  const stop = new AbortController();
  const ended = withDeadline(100, [stop.signal], async (signal) => {
    await aborted(signal);
    return (signal.reason as Error).name;
  });
  for (let round = 0; round < 3; round++) {
    await pause(10);
    collectGarbage();
  }
  const late = pause(5_000).then(() => 'late');
  t.is(await Promise.race([ended, late]), 'TimeoutError');
});

test('a task ends with the first of its signals, and leaves no listener on them', async (t) => {
  const [stop, other] = [new AbortController(), new AbortController()];
  const countListeners = () => getEventListeners(stop.signal, 'abort').length;
  const reason = withSignals([undefined, stop.signal, other.signal], async (joined) => {
    t.is(countListeners(), 1);
    await aborted(joined);
    return joined.reason;
  });
  other.abort('the other');
  t.is(await reason, 'the other');
  t.is(countListeners(), 0);
  await withDeadline(10_000, [stop.signal], async () => undefined);
  t.is(countListeners(), 0);
});

test('signals that fired before count', async (t) => {
  const gone = AbortSignal.abort('gone');
  t.is(joinSignals(new AbortController().signal, gone).reason, 'gone');
  t.is(await withDeadline(10_000, [gone], async ({ aborted }) => aborted), true);
});
