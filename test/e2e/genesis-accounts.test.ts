/** D22: accounts that have coins since the genesis and never did anything, and what of the supply nobody has named. */
import test from 'ava';
import { genesisAccounts } from '#chain/genesis.ts';
import { waitFor } from '#test/helpers/processes.ts';
import {
  headOf,
  startApi,
  startDevChain,
  startPipeline,
  startTestEngine,
  type TestEngine,
} from '#test/helpers/service.ts';

let engine: TestEngine;

test.before(async () => {
  engine = await startTestEngine();
});

test.after.always(() => engine?.stop());

const [rich, poor] = [`0x${'1a'.repeat(20)}`, `0x${'2b'.repeat(20)}`];

test('D22: genesis documents of both families are read, others refused', (t) => {
  const geth = { config: {}, alloc: { [rich.slice(2).toUpperCase()]: { balance: '0x5' }, [poor]: { balance: '0' } } };
  t.deepEqual(genesisAccounts(JSON.stringify(geth)), [rich]);
  const parity = { accounts: { [rich]: { balance: '7', nonce: '0' }, [poor]: { builtin: { name: 'ecrecover' } } } };
  t.deepEqual(genesisAccounts(JSON.stringify(parity)), [rich]);
  t.throws(() => genesisAccounts('{'), { message: /no JSON/ });
  t.throws(() => genesisAccounts('{"nodes": []}'), { message: /neither "alloc"/ });
  t.throws(() => genesisAccounts('{"alloc": {"0x12": {}}}'), { message: /no address/ });
  t.throws(() => genesisAccounts(JSON.stringify({ alloc: { [rich]: { balance: 'much' } } })), { message: /no amount/ });
});

test('D22: an account of the genesis is among the top accounts, and shares are of the supply', async (t) => {
  const chain = await startDevChain({ blocks: 60, seed: 81 });
  t.teardown(() => chain.stop());
  const wei = 10n ** 27n;
  await chain.rpc.call('anvil_setBalance', [rich, `0x${wei.toString(16)}`]);
  await chain.mineLive(40);
  const database = await engine.open('genesis');
  const pipeline = startPipeline({
    ...{ database, urls: [chain.rpc.url], settings: { genesisAccounts: [rich], jobsEveryMs: 100 } },
  });
  t.teardown(() => pipeline.stop());
  await pipeline.caughtUp(headOf(chain));
  const api = await startApi(database, [chain.rpc.url]);
  t.teardown(() => api.stop());
  const top = async () => (await api.get('/api/v1/accounts/top?limit=1')).body;
  await waitFor(
    async () => (await top()).supply != null && (await top()).items[0]?.address === rich,
    30_000,
    'it is listed',
  );
  const { items, supply, known, unaccounted } = await top();
  t.is(items[0].balance, wei.toString());
  t.is(BigInt(unaccounted), BigInt(supply.total) - BigInt(known));
  t.is(items[0].share, (Number((wei * 1_000_000n) / BigInt(supply.total)) / 1_000_000).toFixed(6));
  const [units, fraction = ''] = (await api.get('/api/v1/supply/total')).body.split('.');
  t.is(BigInt(units + fraction.padEnd(18, '0')), BigInt(supply.total), 'one figure, one definition');
});
