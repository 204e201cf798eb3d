import test from 'ava';
import { matchesLog, readLogFilter } from '#edge/log-filter.ts';

const hash = (digit: string) => `0x${digit.repeat(64)}`;
const log = (...topics: string[]) => ({ address: `0x${'A'.repeat(40)}`, topics });
const matches = (topics: unknown[], found: Parameters<typeof matchesLog>[1]) =>
  matchesLog(readLogFilter({ topics }), found);

test('each position accepts any topic or one of its own, and must exist in the log', (t) => {
  const [a, b, c] = [hash('a'), hash('b'), hash('c')];
  t.true(matches([], log()));
  t.true(matches([a], log(a, b)));
  t.true(matches([null, [b, c]], log(a, c)));
  t.false(matches([null, b], log(a, c)));
  t.true(matches([a, null], log(a, b)));
  t.false(matches([a, null], log(a)), 'the log has one topic');
  t.false(matches([null], log()), 'the log is anonymous');
});

test('a filter that is no object is refused, and null in a position accepts any topic', (t) => {
  for (const given of ['0x', [`0x${'a'.repeat(40)}`], 7]) t.throws(() => readLogFilter(given), { message: /object/ });
  for (const given of [null, undefined, {}]) t.true(matchesLog(readLogFilter(given), log()));
  t.true(matches([[hash('b'), null]], log(hash('a'))));
});
