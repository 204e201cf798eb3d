import { rm } from 'node:fs/promises';
import test from 'ava';
import type { Cordscan } from '#client/index.ts';
import { DepositMonitor } from '#integrator/deposit-monitor.ts';
import { Store } from '#integrator/store.ts';
import { silentLog } from '#runtime/log.ts';
import { scratchFolder } from '#test/helpers/processes.ts';

test('one deposit whose verdict fails does not delay the credit of the others', async (t) => {
  const folder = await scratchFolder('cordscan-deposits');
  const store = await Store.open(folder);
  t.teardown(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  const to = `0x${'a'.repeat(40)}`;
  const hashes = [1, 2, 3].map((n) => `0x${String(n).repeat(64)}`);
  const items = hashes.map((txHash, i) => ({ txHash, to, value: '7', blockNumber: i, kind: 'native' }));
  // a stub: no real API returns the error of one verdict and the verdicts of others on request
  const api = {
    post: async () => ({ id: 'set' }),
    get: async (path: string, { query }: { query: { tx?: string } }) => {
      if (path.endsWith('/transfers')) return { items, nextCursor: null, hasMore: false, throughBlock: 3 };
      if (query.tx === hashes[1]) throw new Error('no verdict');
      return { verdict: 'creditable', state: 'creditable', value: '7', blockHash: `0x${'b'.repeat(64)}` };
    },
  } as unknown as Cordscan;
  const monitor = new DepositMonitor({
    ...{ api, store, chainId: 271828, addresses: [to], minValue: 1n, log: silentLog },
  });
  t.true(await monitor.step());
  t.deepEqual((await monitor.credits()).map(({ txHash }) => txHash).sort(), [hashes[0], hashes[2]]);
});
