import { rm } from 'node:fs/promises';
import test, { type ExecutionContext } from 'ava';
import { type Cordscan, CordscanError } from '#client/index.ts';
import { DepositMonitor } from '#integrator/deposit-monitor.ts';
import { Store } from '#integrator/store.ts';
import { type Log, silentLog } from '#runtime/log.ts';
import { scratchFolder } from '#test/helpers/processes.ts';

const to = `0x${'a'.repeat(40)}`;
const txHash = `0x${'1'.repeat(64)}`;

/** Starts a monitor with one credit in block 9. A stub, because a real API does not fail on request. */
async function startWithCredit(t: ExecutionContext) {
  const folder = await scratchFolder('cordscan-place');
  const store = await Store.open(folder);
  t.teardown(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  const service = { error: undefined as CordscanError | undefined, isGone: false, hasMore: false };
  const api = {
    post: async () => ({ id: 'set' }),
    get: async (path: string) => {
      if (path === '/api/v1/status') return { indexed: { from: 0 } };
      if (path.endsWith('/verdict')) {
        if (service.isGone)
          return { verdict: 'wait', state: 'unknown', value: null, evidence: { index: { found: false } } };
        const blockHash = `0x${'b'.repeat(64)}`;
        const index = { found: true, status: 1, blockNumber: 9, blockHash };
        return { verdict: 'creditable', state: 'creditable', value: '7', blockHash, evidence: { index } };
      }
      const { error } = service;
      service.error = undefined;
      if (error) throw error;
      const items = [{ txHash, to, value: '7', blockNumber: 9, kind: 'native' }];
      return { items, nextCursor: 'n', hasMore: service.hasMore, throughBlock: 500 };
    },
  } as unknown as Cordscan;
  const logged: string[] = [];
  const note = ({ event }: { event: string }) => void logged.push(event);
  const log = { ...silentLog, warn: note, error: note } as unknown as Log;
  const start = (addresses: string[]) =>
    new DepositMonitor({ api, store, chainId: 271828, addresses, minValue: 1n, log });
  await start([to]).step();
  t.is((await start([to]).credits()).length, 1);
  return { service, start, logged };
}

for (const code of ['invalid_cursor', 'not_found'])
  test(`after ${code}, credits are checked, because the monitor can have missed a reorg`, async (t) => {
    const { service, start, logged } = await startWithCredit(t);
    service.isGone = true;
    service.error = new CordscanError(400, { code, detail: 'gone' } as never);
    await start([to]).step();
    t.deepEqual(logged, ['deposits_place_lost'], 'a reorg can follow until there is a cursor again');
    await start([to]).step();
    t.deepEqual(logged, ['deposits_place_lost', 'deposit_credit_orphaned', 'deposit_crediting_frozen']);
  });

test('an error of a proxy loses no place', async (t) => {
  const { service, start, logged } = await startWithCredit(t);
  for (const error of [new CordscanError(403, {}), new CordscanError(401, { code: 'unauthorized' } as never)]) {
    service.error = error;
    const monitor = start([to]);
    await t.throwsAsync(monitor.step(), { is: error });
    t.is(await monitor.nextBlock(), 500);
  }
  t.deepEqual(logged, []);
});

test('after all history was read again, credits are checked, because the monitor can have missed a reorg', async (t) => {
  const { service, start, logged } = await startWithCredit(t);
  const monitor = start([to, `0x${'c'.repeat(40)}`]);
  service.hasMore = true;
  await monitor.step();
  service.isGone = true;
  await monitor.step();
  t.deepEqual(logged, []);
  service.hasMore = false;
  await monitor.step();
  t.deepEqual(logged, ['deposit_credit_orphaned', 'deposit_crediting_frozen']);
  await monitor.step();
  t.deepEqual(logged, ['deposit_credit_orphaned', 'deposit_crediting_frozen'], 'once');
});
