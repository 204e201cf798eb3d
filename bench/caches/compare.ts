/** Compares replies of the API with and without one of its caches. Requests with and without the cache alternate. */
import { idleCaches } from '#api/cache/cache.ts';
import type { CacheName } from '#api/cache/caches.ts';
import { quantile } from '../measure/statistics.ts';

export type Arm = 'with' | 'without';
const arms: readonly Arm[] = ['with', 'without'];

export interface Situation {
  readonly cache: CacheName;
  readonly asked: string;
  readonly isNewState?: boolean;
  /** Caches that are always off, because they would answer before the measured cache. */
  readonly idle?: readonly CacheName[];
  readonly idleAtOnce?: readonly CacheName[];
  readonly isAloneOnly?: boolean;
  /** Untimed request before each measured one, to fill other caches. */
  readonly before?: () => Promise<unknown>;
  ask(round: number, arm: Arm): Promise<number>;
}

export type Times = Readonly<Record<Arm, number[]>>;

const atOnce = 20;

/** Measures one request at a time. The order of "with" and "without" the cache changes each round. */
export async function compareAlone(situation: Situation, rounds: number, renew: () => Promise<void>): Promise<Times> {
  const times: Times = { with: [], without: [] };
  const warmUp = 2;
  for (let round = -warmUp; round < rounds; round++) {
    for (const arm of inTurns(round)) {
      if (situation.isNewState || situation.before) await renew();
      setIdle(situation, arm, situation.idle);
      await situation.before?.();
      const ms = await situation.ask(round + warmUp, arm);
      if (round >= 0) times[arm].push(ms);
    }
  }
  idleCaches.clear();
  return times;
}

export async function compareAtOnce(situation: Situation, bursts: number, renew: () => Promise<void>): Promise<Times> {
  const times: Times = { with: [], without: [] };
  for (let burst = -1; burst < bursts; burst++) {
    for (const arm of inTurns(burst)) {
      await renew();
      setIdle(situation, arm, situation.idleAtOnce);
      const all = await Promise.all(Array.from({ length: atOnce }, () => situation.ask(burst + 1, arm)));
      if (burst >= 0) times[arm].push(...all);
    }
  }
  idleCaches.clear();
  return times;
}

const inTurns = (round: number): readonly Arm[] => (round % 2 === 0 ? arms : [...arms].reverse());

function setIdle({ cache }: Situation, arm: Arm, others: readonly CacheName[] = []): void {
  idleCaches.clear();
  for (const other of others) idleCaches.add(other);
  if (arm === 'without') idleCaches.add(cache);
}

/** Formats the p50 and p99 of requests with and without the cache, ms. */
export function formatTimes(times: Times): string {
  const of = (arm: Arm) => [0.5, 0.99].map((q) => quantile(times[arm], q).toFixed(1)).join(' ');
  return `${of('with')} | ${of('without')}`;
}
