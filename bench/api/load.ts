import { setTimeout as wait } from 'node:timers/promises';
import { Random } from '#devchain/random.ts';
import { pool } from '#test/helpers/pool.ts';
import { report } from '../measure/report.ts';
import { busiest, getAddress, readHashes, widestToken } from './fill-chain.ts';
import { type Subject, timeOfRequest } from './subject.ts';

const charts = ['newTxns', 'activeAccounts', 'averageGasPrice', 'txnsFee', 'newContracts', 'networkUtilization'];

export async function measureMix(subject: Subject): Promise<void> {
  const [rate, seconds] = [150, 30];
  const path = await mixed(subject);
  await pool(600, 8, async () => void (await timeOfRequest(subject.origin, path()))); // fill caches; not measured
  const times: Promise<number>[] = [];
  const startedAt = performance.now();
  for (let i = 0; i < rate * seconds; i++) {
    const due = startedAt + (i * 1000) / rate;
    if (due > performance.now()) await wait(due - performance.now());
    times.push(timeOfRequest(subject.origin, path()));
  }
  report(`mix at ${rate} per second for ${seconds} s`, 'ms', await Promise.all(times));
}

/** Measures 200 readers at once. Unequal numbers of replies per reader show starvation. */
export async function measureReaders(subject: Subject): Promise<void> {
  const [readers, seconds] = [200, 20];
  const path = await mixed(subject);
  const end = performance.now() + seconds * 1000;
  const all: number[] = [];
  const counts = await Promise.all(
    Array.from({ length: readers }, async () => {
      let count = 0;
      for (; performance.now() < end; count++) all.push(await timeOfRequest(subject.origin, path()));
      return count;
    }),
  );
  report(`${readers} readers`, 'replies/s', all.length / seconds);
  report(`${readers} readers, reply`, 'ms', all);
  report('replies per reader', 'replies', counts);
}

async function mixed({ database, head }: Subject): Promise<() => string> {
  const random = new Random(head + 7);
  const numbers = Array.from({ length: 5_000 }, () => random.between(0, head * 10));
  const hashes = await readHashes(database, numbers);
  return () => {
    const share = random.next();
    const address = random.next() < 0.2 ? busiest : getAddress(random.next());
    if (share < 0.5) return `/api/v1/accounts/${address}/transactions?limit=50&to=${random.between(1, head)}`;
    if (share < 0.7) return `/api/v1/transactions/${random.pick(hashes)}`;
    if (share < 0.8) return `/api/v1/tokens/${widestToken}/holders?limit=50`;
    return `/api/v1/stats/charts/${random.pick(charts)}?resolution=day`;
  };
}
