import test from 'ava';
import fc from 'fast-check';
import type { AnchorEvent } from '#api/read/deposits/anchor-events.ts';
import { type Added, type ReadAdded, Ripening } from '#api/read/deposits/ripening.ts';
import { requiredConfirmations } from '#api/read/deposits/rules.ts';

const move = fc.record({ removed: fc.nat({ max: 30 }), added: fc.nat({ max: 12 }) });
const moves = fc.array(move, { minLength: 1, maxLength: 25 });
/** Start positions of readers, and steps per read. */
const cuts = fc.array(fc.record({ at: fc.nat(), batch: fc.integer({ min: 1, max: 9 }) }), {
  minLength: 1,
  maxLength: 12,
});

function toLog(all: readonly { removed: number; added: number }[]): AnchorEvent[] {
  const log: AnchorEvent[] = [];
  const chain: AnchorEvent[] = [];
  const step = (kind: AnchorEvent['kind'], number: number, hash: string) => {
    const event = { sequence: log.length + 1, kind, number, hash, parentHash: chain.at(-1)?.hash ?? '0x', time: 0 };
    log.push(event);
    return event;
  };
  const add = () => chain.push(step('added', chain.length, `0x${log.length}`));
  for (let i = 0; i < 45; i++) add();
  for (const { removed, added } of all) {
    for (let i = 0; i < removed && chain.length > 1; i++) {
      const top = chain.pop()!;
      step('removed', top.number, top.hash);
    }
    for (let i = 0; i < added; i++) add();
  }
  return log;
}

const openReader =
  (log: readonly AnchorEvent[]): ReadAdded =>
  async (fromBlock, toBlock, before) => {
    const last = new Map<number, Added>();
    for (const event of log)
      if (event.kind === 'added' && event.sequence < before && event.number >= fromBlock && event.number <= toBlock)
        last.set(event.number, event);
    return [...last.values()];
  };

async function read(
  log: readonly AnchorEvent[],
  from: number,
  batch: number,
): Promise<Map<number, string | undefined>> {
  const ripening = new Ripening(openReader(log));
  const seen = new Map<number, string | undefined>();
  for (let at = from; at < log.length; at += batch) {
    const steps = log.slice(at, at + batch);
    const ripened = await ripening.ripenedBy(steps);
    for (const [i, step] of steps.entries()) seen.set(step.sequence, ripened[i]?.hash);
  }
  return seen;
}

function wanted(log: readonly AnchorEvent[]): Map<number, string | undefined> {
  const ripe = new Map<number, string | undefined>();
  const chain: { hash: string; isRipe: boolean }[] = [];
  for (const { sequence, kind, number, hash } of log) {
    if (kind === 'removed') {
      chain.pop();
      continue;
    }
    chain[number] = { hash, isRipe: false };
    const below = chain[number - requiredConfirmations];
    if (!below || below.isRipe) continue;
    below.isRipe = true;
    ripe.set(sequence, below.hash);
  }
  return ripe;
}

test('C13: each once, in every log, for every reader that starts or reconnects anywhere', async (t) => {
  const property = fc.assert(
    fc.asyncProperty(moves, cuts, async (all, readers) => {
      const log = toLog(all);
      const rule = wanted(log);
      for (const { at, batch } of [{ at: 0, batch: 500 }, ...readers]) {
        const from = at % log.length;
        for (const [sequence, hash] of await read(log, from, batch)) {
          if (hash !== rule.get(sequence)) return false;
        }
      }
      return true;
    }),
    { numRuns: 300 },
  );
  await t.notThrowsAsync(property);
  t.pass();
});

test('C13: reader that reconnects during a rollback does not receive a transfer again', async (t) => {
  const log = toLog([
    { removed: 0, added: 17 },
    { removed: 5, added: 6 },
  ]);
  const whole = await read(log, 0, 500);
  for (let from = 0; from < log.length; from++)
    for (const [sequence, hash] of await read(log, from, 3)) t.is(hash, whole.get(sequence), `from ${from}`);
});
