/** `npm run bench -- simulation --seeds 1000` runs the simulation longer. */
import test from 'ava';
import { startTestEngine, type TestEngine } from '#test/helpers/service.ts';
import { simulate } from '#test/simulation/simulate.ts';

const groups = [
  [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  [11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
];
const steps = 1;

let engine: TestEngine;

test.before(async () => {
  engine = await startTestEngine();
});

test.after.always(() => engine?.stop());

test('service answers correctly or refuses, whatever happens to the chain', async (t) => {
  const outcomes = await Promise.all(groups.map((seeds) => simulate(engine, seeds, steps)));
  const count = (name: 'answered' | 'refused') => outcomes.reduce((sum, outcome) => sum + outcome[name], 0);
  t.log({ answered: count('answered'), refused: count('refused') });
  t.true(count('answered') > 0 && count('refused') > 0);
});
