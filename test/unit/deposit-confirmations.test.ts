import { rm } from 'node:fs/promises';
import test from 'ava';
import type { Cordscan } from '#client/index.ts';
import { readConfirmations } from '#commands/confirmations.ts';
import { DepositMonitor } from '#integrator/deposit-monitor.ts';
import { Store } from '#integrator/store.ts';
import { silentLog } from '#runtime/log.ts';
import { scratchFolder } from '#test/helpers/processes.ts';

test('options of confirmations have a lower bound and an upper bound', (t) => {
  t.deepEqual(readConfirmations({ confirmations: 20 }), { least: 20, larger: [] });
  t.deepEqual(readConfirmations({ confirmations: 30, confirmationsAbove: ['1.5=100', '2=200'] }), {
    least: 30,
    larger: [
      { above: 15n * 10n ** 17n, confirmations: 100 },
      { above: 2n * 10n ** 18n, confirmations: 200 },
    ],
  });
  for (const confirmations of [0, 19, 100_001])
    t.throws(() => readConfirmations({ confirmations }), {
      message: `--confirmations must be from 20 to 100000 confirmations, got ${confirmations}`,
    });
  t.throws(() => readConfirmations({ confirmations: 20, confirmationsAbove: ['5=19'] }), {
    message: '--confirmations-above must be from 20 to 100000 confirmations, got 19',
  });
  for (const text of ['100', '=30', '1=', '-1=30', '1.0000000000000000001=30', '0x10=30'])
    t.throws(() => readConfirmations({ confirmations: 20, confirmationsAbove: [text] }), {
      message: `--confirmations-above must be an amount of FAT and a number of confirmations, such as 1000=100, got ${text}`,
    });
});

test('the monitor requires the confirmations of the largest matching amount', async (t) => {
  const folder = await scratchFolder('cordscan-confirmations');
  const store = await Store.open(folder);
  t.teardown(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  const to = `0x${'a'.repeat(40)}`;
  const values = ['10', '11', '21'];
  const items = values.map((value, i) => ({
    txHash: `0x${value.repeat(32)}`,
    to,
    value,
    blockNumber: i,
    kind: 'native',
  }));
  let [throughBlock, isIgnored] = [50, true];
  const asked: [value: string, confirmations: number][] = [];
  const listed: number[] = [];
  interface Query {
    readonly tx: string;
    readonly minConfirmations: number;
  }
  // a stub: a real chain would need hundreds of blocks
  const api = {
    post: async () => ({ id: 'set' }),
    get: async (path: string, { query }: { query: Query }) => {
      const { tx, minConfirmations } = query;
      if (path.endsWith('/transfers')) {
        listed.push(minConfirmations);
        return { items: items.splice(0), nextCursor: 'n', hasMore: false, throughBlock };
      }
      const value = tx.slice(2, 4);
      asked.push([value, minConfirmations]);
      const evidence = { index: { blockNumber: 9 } };
      const required = isIgnored ? 20 : minConfirmations;
      return {
        verdict: 'creditable',
        state: 'creditable',
        value,
        required,
        blockHash: `0x${'b'.repeat(64)}`,
        evidence,
      };
    },
  } as unknown as Cordscan;
  const confirmations = {
    least: 30,
    larger: [
      { above: 20n, confirmations: 100 },
      { above: 10n, confirmations: 60 },
    ],
  };
  const options = { api, store, chainId: 271828, addresses: [to], minValue: 1n, confirmations, log: silentLog };
  const monitor = new DepositMonitor(options);
  await monitor.step();
  t.deepEqual(listed, [30]);
  t.deepEqual(asked.splice(0), [
    ['10', 30],
    ['11', 60],
  ]);
  t.deepEqual(await monitor.credits(), [], 'an API that ignores the parameter decides nothing');
  isIgnored = false;
  await monitor.step();
  t.deepEqual(
    (await monitor.credits()).map(({ value }) => value),
    ['10', '11'],
  );
  asked.splice(0);
  throughBlock = 72;
  await monitor.step();
  t.deepEqual(asked.splice(0), [['21', 100]], 'once the list shows enough confirmations');
  t.is((await monitor.credits()).length, 3);
});
