import { rm } from 'node:fs/promises';
import test, { type ExecutionContext } from 'ava';
import { type Cordscan, CordscanError } from '#client/index.ts';
import { acknowledgeCredit } from '#integrator/crediting-freeze.ts';
import { DepositMonitor } from '#integrator/deposit-monitor.ts';
import { Store } from '#integrator/store.ts';
import { type Log, silentLog } from '#runtime/log.ts';
import { scratchFolder } from '#test/helpers/processes.ts';

const chainId = 271828;
const to = `0x${'a'.repeat(40)}`;
const [first, second, third] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(64)}`) as [string, string, string];
const [oldBlock, newBlock] = ['b', 'c'].map((digit) => `0x${digit.repeat(64)}`) as [string, string];

const lost = { verdict: 'wait', state: 'unknown', value: null, evidence: { index: { found: false } } };
const disagreement = { ...lost, state: 'disagreement' };
const creditable = (blockHash: string) => {
  const index = { found: true, status: 1, blockNumber: 9, blockHash };
  return { verdict: 'creditable', state: 'creditable', value: '7', blockHash, evidence: { index } };
};

/** Starts with the first deposit credited. A stub, because a real node can't lose one chosen deposit. */
async function startWithCredit(t: ExecutionContext) {
  const folder = await scratchFolder('cordscan-freeze');
  const store = await Store.open(folder);
  t.teardown(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  const service = {
    listed: [first],
    verdicts: {} as Record<string, object>,
    error: undefined as CordscanError | undefined,
    statusFails: false,
  };
  const api = {
    post: async () => ({ id: 'set' }),
    get: async (path: string, { query }: { query: { tx: string } } = { query: { tx: '' } }) => {
      if (path === '/api/v1/status' && service.statusFails) throw new Error('no status');
      if (path === '/api/v1/status') return { indexed: { from: 0 } };
      if (path.endsWith('/verdict')) {
        const verdict = service.verdicts[query.tx] ?? creditable(oldBlock);
        if ('fails' in verdict) throw new Error('no verdict');
        return verdict;
      }
      const { error } = service;
      service.error = undefined;
      if (error) throw error;
      const items = service.listed.map((txHash) => ({ txHash, to, value: '7', blockNumber: 9, kind: 'native' }));
      return { items, nextCursor: 'n', hasMore: false, throughBlock: 30 };
    },
  } as unknown as Cordscan;
  const logged: string[] = [];
  const note = ({ event }: { event: string }) => void logged.push(event);
  const log = { ...silentLog, info: note, warn: note, error: note } as unknown as Log;
  const start = () => new DepositMonitor({ api, store, chainId, addresses: [to], minValue: 1n, log });
  await start().step();
  t.deepEqual(logged.splice(0), ['deposit_credited']);
  const credited = async () => (await start().credits()).map(({ txHash }) => txHash);
  /** A reorg removes the block of the first deposit, and a second deposit follows. */
  const reorg = (verdict: object) => {
    service.error = new CordscanError(409, { code: 'snapshot_invalidated', details: { forkBlock: 8 } } as never);
    service.listed = [first, second];
    service.verdicts[first] = verdict;
  };
  return { service, store, start, logged, credited, reorg };
}

test.serial(
  'after a credit is orphaned, nothing is credited until it is acknowledged, also after restarts',
  async (t) => {
    const { service, store, start, logged, credited, reorg } = await startWithCredit(t);
    reorg(lost);
    await start().step();
    t.deepEqual(logged.splice(0), ['deposits_place_lost', 'deposit_credit_orphaned', 'deposit_crediting_frozen']);
    for (const monitor of [start(), start()]) {
      await monitor.step();
      t.deepEqual(await monitor.listFreezing(), [first]);
      t.deepEqual(logged.splice(0), ['deposit_crediting_frozen'], 'at each start');
    }
    t.deepEqual(await credited(), [first]);
    t.is((await store.list('candidate:')).length, 1, 'the second deposit is stored');
    await t.throwsAsync(acknowledgeCredit(store, chainId, second), {
      message: `${second} is not a credit that stops credits; these are: ${first}`,
    });
    t.deepEqual(await acknowledgeCredit(store, chainId, first), []);
    t.deepEqual(await acknowledgeCredit(store, chainId, first), [], 'again');
    await start().step();
    t.deepEqual(logged.splice(0), ['deposit_credited']);
    service.listed = [third];
    await start().step();
    t.deepEqual(await credited(), [first, second, third]);
    service.verdicts[first] = creditable(newBlock);
    logged.splice(0);
    await start().step();
    t.deepEqual(logged, ['deposit_credit_confirmed'], 'the log also names a deposit that was mined again later');
    reorg(lost);
    await start().step();
    t.deepEqual(await start().listFreezing(), [first], 'an acknowledged credit that is lost again');
  },
);

test.serial('crediting resumes without an acknowledgement when the deposit is mined again', async (t) => {
  const { service, start, logged, credited, reorg } = await startWithCredit(t);
  const clock = replaceClock(t);
  reorg(lost);
  const monitor = start();
  await monitor.step();
  logged.splice(0);
  await monitor.step();
  clock.now += 11_000;
  service.verdicts[first] = disagreement;
  await monitor.step();
  t.deepEqual(logged.splice(0), ['deposit_recheck_waits'], 'the freeze was logged already');
  clock.now += 60_000;
  await monitor.step();
  t.deepEqual(logged.splice(0), ['deposit_crediting_frozen'], 'every minute');
  t.deepEqual(await credited(), [first]);
  clock.now += 11_000;
  service.verdicts[first] = creditable(newBlock);
  await monitor.step();
  t.deepEqual(logged, ['deposit_credit_confirmed', 'deposit_crediting_resumed', 'deposit_credited']);
  t.deepEqual(await credited(), [first, second]);
});

test.serial('a wrong reply stops credits only until the next check', async (t) => {
  const { service, start, credited, reorg } = await startWithCredit(t);
  const clock = replaceClock(t);
  reorg(lost);
  const monitor = start();
  await monitor.step();
  t.deepEqual(await credited(), [first]);
  clock.now += 11_000;
  service.verdicts[first] = creditable(oldBlock);
  await monitor.step();
  t.deepEqual(await credited(), [first, second]);
});

test.serial('after a reorg nothing is credited before all credits of removed blocks are checked', async (t) => {
  const { service, start, logged, credited, reorg } = await startWithCredit(t);
  const clock = replaceClock(t);
  reorg(disagreement);
  const monitor = start();
  await monitor.step();
  t.deepEqual(logged.splice(0), ['deposits_place_lost', 'deposit_recheck_waits', 'deposit_crediting_paused']);
  await start().step();
  t.deepEqual(await credited(), [first]);
  logged.splice(0);
  service.verdicts[first] = lost;
  clock.now += 11_000;
  await monitor.step();
  t.deepEqual(logged, ['deposit_credit_orphaned', 'deposit_crediting_frozen'], 'at once');
  service.verdicts[first] = creditable(oldBlock);
  await start().step();
  t.deepEqual(await credited(), [first, second]);
});

test.serial('a check without a known reorg stops credits only if a credit is orphaned', async (t) => {
  const { service, start, credited } = await startWithCredit(t);
  const expired = () => new CordscanError(400, { code: 'invalid_cursor' } as never);
  service.error = expired();
  service.listed = [first, second];
  service.verdicts[first] = disagreement;
  const monitor = start();
  await monitor.step();
  await monitor.step();
  t.deepEqual(await monitor.listFreezing(), []);
  t.deepEqual(await credited(), [first, second]);
  service.listed = [third];
  service.verdicts[first] = lost;
  await start().step();
  t.deepEqual(await start().listFreezing(), [first]);
  t.deepEqual(await credited(), [first, second]);
});

test.serial('a credit that an earlier version reported as orphaned stops credits', async (t) => {
  const { service, store, start, credited } = await startWithCredit(t);
  await store.write([{ key: `recheck:${chainId}:credit:${chainId}:${first}:0`, value: { isReported: true } }]);
  service.verdicts[first] = lost;
  service.listed = [second];
  await start().step();
  t.deepEqual(await credited(), [first]);
  await acknowledgeCredit(store, chainId, first);
  await start().step();
  t.deepEqual(await credited(), [first, second]);
});

function replaceClock(t: ExecutionContext): { now: number } {
  const { now } = performance;
  const clock = { now: now.call(performance) };
  performance.now = () => clock.now;
  t.teardown(() => {
    performance.now = now;
  });
  return clock;
}

test.serial('nothing is credited after a reorg whose checks can not be stored yet', async (t) => {
  const { service, start, credited, reorg } = await startWithCredit(t);
  const monitor = start();
  service.listed = [first, second];
  service.verdicts[second] = { ...lost, state: 'confirming' };
  await monitor.step();
  delete service.verdicts[second];
  reorg(creditable(newBlock));
  service.statusFails = true;
  await t.throwsAsync(monitor.step());
  t.deepEqual(await credited(), [first]);
  service.statusFails = false;
  await monitor.step();
  t.deepEqual(await credited(), [first, second]);
});

test.serial('a repair of rows does not stop credits, and one failing check does not stop the others', async (t) => {
  const { service, start, logged, credited } = await startWithCredit(t);
  const details = { forkBlock: 8, isRepair: true };
  service.error = new CordscanError(409, { code: 'snapshot_invalidated', details } as never);
  service.listed = [first, second];
  service.verdicts[first] = { fails: true };
  const monitor = start();
  await monitor.step();
  await monitor.step();
  t.deepEqual(await credited(), [first, second]);
  t.true(logged.includes('deposit_recheck_failed'));
});

test.serial('a credit that is still being checked can not be acknowledged', async (t) => {
  const { store, start, reorg } = await startWithCredit(t);
  reorg(disagreement);
  await start().step();
  await t.throwsAsync(acknowledgeCredit(store, chainId, first), { message: /is still being checked/ });
});
