import { rm } from 'node:fs/promises';
import test, { type ExecutionContext } from 'ava';
import { type Cordscan, CordscanError } from '#client/index.ts';
import type { Credit } from '#integrator/credit.ts';
import { DepositMonitor } from '#integrator/deposit-monitor.ts';
import { Store } from '#integrator/store.ts';
import { type Log, silentLog } from '#runtime/log.ts';
import { scratchFolder } from '#test/helpers/processes.ts';

async function openStore(t: ExecutionContext): Promise<Store> {
  const folder = await scratchFolder('cordscan-deposits');
  const store = await Store.open(folder);
  t.teardown(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  return store;
}

/** Block of a creditable deposit, as in a verdict. */
const place = { blockHash: `0x${'b'.repeat(64)}`, evidence: { index: { blockNumber: 9 } } };

test('one deposit whose verdict fails does not delay the credit of the others', async (t) => {
  const store = await openStore(t);
  const to = `0x${'a'.repeat(40)}`;
  const hashes = [1, 2, 3].map((n) => `0x${String(n).repeat(64)}`);
  const items = hashes.map((txHash, i) => ({ txHash, to, value: '7', blockNumber: i, kind: 'native' }));
  // a stub, because a real API can't return an error for one verdict and replies for others on request
  const api = {
    post: async () => ({ id: 'set' }),
    get: async (path: string, { query }: { query: { tx?: string } }) => {
      if (path.endsWith('/transfers')) return { items, nextCursor: null, hasMore: false, throughBlock: 3 };
      if (query.tx === hashes[1]) throw new Error('no verdict');
      return { verdict: 'creditable', state: 'creditable', value: '7', ...place };
    },
  } as unknown as Cordscan;
  const monitor = new DepositMonitor({
    ...{ api, store, chainId: 271828, addresses: [to], minValue: 1n, log: silentLog },
  });
  t.true(await monitor.step());
  const credits = await monitor.credits();
  t.deepEqual(credits.map(({ txHash }) => txHash).sort(), [hashes[0], hashes[2]]);
  for (const { blockNumber } of credits) t.is(blockNumber, 9, 'a reorg moved the transaction since it was listed');
});

test('stored deposits are decided while the list of transfers fails, and those that wait are logged', async (t) => {
  const store = await openStore(t);
  const to = `0x${'a'.repeat(40)}`;
  const items = [1, 2].map((n) => ({
    txHash: `0x${String(n).repeat(64)}`,
    to,
    value: '7',
    blockNumber: n,
    kind: 'native',
  }));
  let isListed = true;
  let state = 'confirming';
  const api = {
    post: async () => ({ id: 'set' }),
    get: async (path: string, { query }: { query: { tx?: string } }) => {
      if (path.endsWith('/transfers') && !isListed) throw new Error('blocks 8 to 8 are not indexed yet');
      if (path.endsWith('/transfers')) return { items, nextCursor: 'next', hasMore: false, throughBlock: 3 };
      if (state === 'confirming' || query.tx === items[1]!.txHash) return { verdict: 'wait', state, value: null };
      return { verdict: 'creditable', state, value: '7', ...place };
    },
  } as unknown as Cordscan;
  const logged: string[] = [];
  const log = {
    ...silentLog,
    info: (entry: { event: string; state?: string }) => logged.push(`${entry.event} ${entry.state ?? ''}`),
  };
  const monitor = new DepositMonitor({
    ...{ api, store, chainId: 271828, addresses: [to], minValue: 1n, log: log as unknown as Log },
  });
  await monitor.step();
  await monitor.step();
  t.deepEqual(logged, ['deposit_waits confirming', 'deposit_waits confirming'], 'each deposit once');
  [isListed, state] = [false, 'disagreement'];
  await t.throwsAsync(monitor.step(), { message: /not indexed yet/ });
  t.deepEqual(
    (await monitor.credits()).map(({ txHash }) => txHash),
    [items[0]!.txHash],
  );
  t.deepEqual(logged.slice(2), ['deposit_credited ', 'deposit_waits disagreement']);
});

test('a deposit whose block was repaired after it was listed is credited with the corrected value', async (t) => {
  const store = await openStore(t);
  const to = `0x${'a'.repeat(40)}`;
  const item = { txHash: `0x${'1'.repeat(64)}`, to, value: '7', blockNumber: 1, kind: 'native' };
  const items = [item];
  const api = {
    post: async () => ({ id: 'set' }),
    get: async (path: string) =>
      path.endsWith('/transfers')
        ? { items: items.splice(0), nextCursor: null, hasMore: false, throughBlock: 3 }
        : { verdict: 'creditable', state: 'creditable', value: '9', ...place },
  } as unknown as Cordscan;
  const monitor = new DepositMonitor({
    ...{ api, store, chainId: 271828, addresses: [to], minValue: 1n, log: silentLog },
  });
  await monitor.step();
  t.deepEqual(await monitor.credits(), []);
  await monitor.step();
  t.deepEqual(
    (await monitor.credits()).map(({ value }) => value),
    ['9'],
  );
});

test('after a reorg whose fork is unknown, the monitor reads all transfers again', async (t) => {
  const store = await openStore(t);
  const asked: (number | undefined)[] = [];
  let sets = 0;
  let forks: unknown[] = [];
  // a stub, because a real service can't switch branches on request
  const api = {
    post: async () => ({ id: `set ${++sets}` }),
    get: async (path: string, { query }: { query: { fromBlock?: number } } = { query: {} }) => {
      if (path === '/api/v1/status') return { indexed: { from: 200 } };
      asked.push(query.fromBlock);
      if (forks.length > 0) {
        const [forkBlock] = forks.splice(0, 1);
        throw new CordscanError(409, { code: 'snapshot_invalidated', details: { forkBlock } } as never);
      }
      return { items: [], nextCursor: 'next', hasMore: false, throughBlock: 5_000 };
    },
  } as unknown as Cordscan;
  const to = `0x${'a'.repeat(40)}`;
  const options = { api, store, chainId: 271828, addresses: [to], minValue: 1n, log: silentLog };
  const monitor = new DepositMonitor(options);
  await monitor.step();
  for (const [forkBlock, expected] of [
    [4_000, 3_900],
    [250, 0], // 150 is below the first block of the index
    [null, 0],
  ] as const) {
    forks = [forkBlock];
    asked.length = 0;
    await monitor.step();
    await monitor.step();
    t.true(asked.includes(expected), `${forkBlock}: ${asked}`);
  }
  t.is(sets, 1, 'the address set is still valid: a second one would count against the limits of the exchange');
});

test('a verdict that the monitor does not know decides nothing', async (t) => {
  const store = await openStore(t);
  const to = `0x${'a'.repeat(40)}`;
  const items = [{ txHash: `0x${'1'.repeat(64)}`, to, value: '7', blockNumber: 1, kind: 'native' }];
  let judged: object = { message: 'maintenance' };
  // a stub, because no real API sends such a reply
  const api = {
    post: async () => ({ id: 'set' }),
    get: async (path: string) => {
      if (path === '/api/v1/status') return { indexed: { from: 0 } };
      return path.endsWith('/transfers')
        ? { items: items.splice(0), nextCursor: 'n', hasMore: false, throughBlock: 3 }
        : judged;
    },
  } as unknown as Cordscan;
  const monitor = new DepositMonitor({
    ...{ api, store, chainId: 271828, addresses: [to], minValue: 1n, log: silentLog },
  });
  await monitor.step();
  t.deepEqual((await store.list('rejected:')).length, 0);
  judged = { verdict: 'creditable', state: 'creditable', value: '7', ...place };
  await monitor.step();
  t.is((await monitor.credits()).length, 1);
});

test('the monitor does not skip blocks that a rebuilt index lacks', async (t) => {
  const store = await openStore(t);
  let [from, isLost] = [0, false];
  const api = {
    post: async () => ({ id: 'set' }),
    get: async (path: string) => {
      if (path === '/api/v1/status') return { indexed: { from } };
      if (isLost) throw new CordscanError(404, { code: 'not_found' } as never);
      return { items: [], nextCursor: 'next', hasMore: false, throughBlock: 5_000 };
    },
  } as unknown as Cordscan;
  const options = { api, store, chainId: 271828, addresses: [`0x${'a'.repeat(40)}`], minValue: 1n, log: silentLog };
  await new DepositMonitor(options).step();
  [from, isLost] = [5_002, true];
  const message =
    /the index starts at block 5002, but deposits are read up to block 5000: index again with START_BLOCK 5001/;
  await t.throwsAsync(new DepositMonitor(options).step(), { message });
  const changed = { ...options, addresses: [`0x${'b'.repeat(40)}`] };
  await t.throwsAsync(new DepositMonitor(changed).step(), { message });
  from = 5_001;
  await t.notThrowsAsync(new DepositMonitor(options).step());
  const assertChain = async () => Promise.reject(new Error('the api serves chain 1'));
  await t.throwsAsync(new DepositMonitor({ ...options, assertChain }).step(), { message: /serves chain 1/ });
});

test('a credit whose deposit a reorg removed becomes an error, also after a kill, until it is mined again', async (t) => {
  const store = await openStore(t);
  const to = `0x${'a'.repeat(40)}`;
  const [gone, kept] = [1, 2].map((n) => `0x${String(n).repeat(64)}`);
  const listed = [gone, kept].map((txHash) => ({ txHash, to, value: '7', blockNumber: 9, kind: 'native' }));
  let fork: number | undefined;
  let state = 'creditable';
  const asked: string[] = [];
  let blockHash = place.blockHash;
  // a stub, because a deep reorg of a real node can't lose one chosen transaction
  const api = {
    post: async () => ({ id: 'set' }),
    get: async (path: string, { query }: { query: { tx: string } } = { query: { tx: '' } }) => {
      if (path === '/api/v1/status') return { indexed: { from: 0 } };
      if (path.endsWith('/verdict')) {
        asked.push(query.tx);
        if (state === 'pruned') {
          const index = { found: true, status: 1, blockNumber: 9, blockHash };
          return { verdict: 'wait', state: 'disagreement', value: '7', evidence: { index } };
        }
        if (state === 'failed') {
          const index = { found: true, status: 0, blockNumber: 9, blockHash };
          return { verdict: 'reject', state, value: '7', evidence: { index } };
        }
        const evidence = { index: { found: false, status: null, blockHash: null } };
        if (query.tx === gone && state !== 'creditable') return { verdict: 'wait', state, value: null, evidence };
        const index = { found: true, status: 1, blockNumber: 9, blockHash };
        return { verdict: 'creditable', state: 'creditable', value: '7', blockHash, evidence: { index } };
      }
      if (fork === undefined) return { items: listed, nextCursor: 'n', hasMore: false, throughBlock: 30 };
      const details = { forkBlock: fork };
      fork = undefined;
      throw new CordscanError(409, { code: 'snapshot_invalidated', details } as never);
    },
  } as unknown as Cordscan;
  const logged: string[] = [];
  const note = ({ event, txHash, state: said }: Record<string, string>) => {
    // deposit-freeze.test.ts tests the events of the freeze
    if (/^deposit_(?!crediting_)/.test(event!))
      logged.push(`${event} ${txHash === gone ? 'gone' : 'kept'} ${said ?? ''}`.trim());
  };
  const log = { ...silentLog, info: note, error: note } as unknown as Log;
  const start = () => new DepositMonitor({ api, store, chainId: 271828, addresses: [to], minValue: 1n, log });
  await start().step();
  t.deepEqual(logged.splice(0), ['deposit_credited gone', 'deposit_credited kept']);
  await start().step();
  t.is(asked.splice(0).length, 2, 'nothing is asked again without a reorg');
  [fork, state] = [9, 'unknown'];
  await start().step();
  t.deepEqual(asked, [], 'the fork is the block of the deposits');
  [fork, state] = [8, 'disagreement'];
  await start().step();
  t.deepEqual(logged.splice(0), ['deposit_recheck_waits gone disagreement'], 'the other one is in the same block');
  state = 'unknown';
  await start().step();
  await start().step();
  t.deepEqual(logged.splice(0), ['deposit_credit_orphaned gone unknown'], 'once');
  state = 'creditable';
  await start().step();
  await start().step();
  t.deepEqual(logged.splice(0), ['deposit_credit_confirmed gone']);
  // the addresses and the chain change while the monitor is stopped
  [fork, state] = [8, 'unknown'];
  const changed = new DepositMonitor({
    api,
    store,
    chainId: 271828,
    addresses: [to, `0x${'b'.repeat(40)}`],
    minValue: 1n,
    log,
  });
  await changed.step();
  t.deepEqual(logged.splice(0), ['deposit_credit_orphaned gone unknown']);
  [state, blockHash] = ['creditable', `0x${'c'.repeat(64)}`];
  await start().step();
  t.is((await monitorCredit(store, gone!)).blockHash, blockHash, 'it was mined again in another block');
  // a repair of rows: the index has the same block, and no node has its old receipt
  t.is((await monitorCredit(store, kept!)).blockHash, blockHash, 'the list was read again');
  const earlier = { ...(await monitorCredit(store, kept!)), blockHash: place.blockHash };
  await store.write([{ key: `credit:271828:${kept}:0`, value: earlier }]);
  [fork, state] = [8, 'pruned'];
  logged.splice(0);
  await start().step();
  const waits = ['deposit_recheck_waits kept disagreement'];
  t.deepEqual([logged.splice(0), (await store.list('recheck:')).length], [waits, 1], 'its block is another one');
  // a repair shows that the transaction had failed
  [fork, state] = [8, 'failed'];
  await start().step();
  t.deepEqual(logged.sort(), ['deposit_credit_orphaned gone failed', 'deposit_credit_orphaned kept failed']);
  t.is((await monitorCredits(store)).length, 2, 'credited once');
});

const monitorCredit = async (store: Store, hash: string) => (await store.get<Credit>(`credit:271828:${hash}:0`))!;
const monitorCredits = (store: Store) => store.list('credit:');
