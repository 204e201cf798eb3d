/**
 * Runs the simulation in test/simulation with many seeds, which choose its random events.
 * `npm run bench -- simulation [--seeds 1000] [--first 1] [--steps 1] [--per-chain 10] [--at-once 2]`
 * Prints errors with their seeds, and exits with 1 if a reply of the service was wrong.
 */
import { parseArgs } from 'node:util';
import { startTestEngine } from '#test/helpers/service.ts';
import { simulate } from '#test/simulation/simulate.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    first: { type: 'string', default: '1' },
    steps: { type: 'string', default: '1' },
    'per-chain': { type: 'string', default: '10' },
    'at-once': { type: 'string', default: '2' },
  },
});
const [first, seeds, steps] = [Number(values.first), Number(values.seeds), Number(values.steps)];
const perChain = Number(values['per-chain']);
const engine = await startTestEngine();
const total = { seeds: 0, steps: 0, answered: 0, refused: 0, findings: 0 };
const startedAt = Date.now();
let next = first;
await Promise.all(Array.from({ length: Number(values['at-once']) }, lane));
await engine.stop();
process.exit(total.findings > 0 ? 1 : 0);

function secondsSince(at: number): number {
  return Math.round((Date.now() - at) / 1000);
}

async function lane(): Promise<void> {
  while (next < first + seeds) {
    const group = Array.from({ length: Math.min(perChain, first + seeds - next) }, () => next++);
    try {
      const { answered, refused, steps: done } = await simulate(engine, group, steps);
      total.answered += answered;
      total.refused += refused;
      total.steps += done.length;
    } catch (error) {
      total.findings++;
      console.log(`${(error as Error).name}: ${(error as Error).message}`);
    }
    total.seeds += group.length;
    console.log(JSON.stringify({ through: group.at(-1), ...total, seconds: secondsSince(startedAt) }));
  }
}
