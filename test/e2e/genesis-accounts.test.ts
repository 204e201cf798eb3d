import test from 'ava';
import { id, toBeHex, zeroPadValue } from 'ethers';
import pino from 'pino';
import type { SupplySettings } from '#api/read/supply/settings.ts';
import { encodeWithdrawal } from '#chain/codec/rlp-fields.ts';
import { genesisAccounts } from '#chain/genesis.ts';
import { orderedTrieRoot } from '#chain/verify/trie-root.ts';
import type { DevChain } from '#devchain/devchain.ts';
import { Random } from '#devchain/random.ts';
import { storeBalances } from '#pipeline/jobs/account-balances.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { readChainModel } from '#test/helpers/chain-model.ts';
import { devSettings } from '#test/helpers/dev-settings.ts';
import { decimal, sum } from '#test/helpers/economy-model.ts';
import { deployEmitter } from '#test/helpers/event-emitter.ts';
import { type Fault, type FaultyProxy, startFaultyProxy } from '#test/helpers/faulty-proxy.ts';
import { waitFor } from '#test/helpers/processes.ts';
import {
  headReader,
  type RunningPipeline,
  startApi,
  startDevChain,
  startPipeline,
  startTestEngine,
  type TestEngine,
} from '#test/helpers/service.ts';
import { startEmittingNode } from '#test/helpers/x-node.ts';

const fat = 10n ** 18n;
const [rich, poor, payee, listed] = ['1a', '2b', '3c', '4d'].map((byte) => `0x${byte.repeat(20)}`) as [
  string,
  string,
  string,
  string,
];
const wei = 10n ** 27n;
let engine: TestEngine;
let chain: DevChain;
let pipeline: RunningPipeline;
let view: FaultyProxy;
let pruned: FaultyProxy;
const jobErrors: { readonly job?: string }[] = [];

/** Adds a withdrawal to block 20, since dev chains have no consensus layer. */
const withdrawals: Fault = ({ calls, replies }) => {
  const blocks = replies.filter(
    (reply, i) => /^eth_getBlockBy/.test(calls[i]!.method) && Number(reply.result?.number) === 20,
  );
  const withdrawal = { index: '0x0', validatorIndex: '0x1', address: payee, amount: '0x1' };
  const withdrawalsRoot = orderedTrieRoot([encodeWithdrawal(withdrawal)]);
  for (const { result } of blocks) Object.assign(result, { withdrawals: [withdrawal], withdrawalsRoot });
  return blocks.length > 0 ? 'changed' : 'untouched';
};

/** No longer returns the header of block 20, like a node that has pruned it. */
const lacksBlock: Fault = ({ calls, replies }) => {
  const lacking = replies.filter((_, i) => calls[i]!.params[0] === '0x14' && calls[i]!.params[1] === false);
  for (const reply of lacking) reply.result = null;
  return lacking.length > 0 ? 'changed' : 'untouched';
};

test.before(async () => {
  [engine, chain] = await Promise.all([startTestEngine(), startDevChain({ blocks: 60, seed: 81 })]);
  await chain.rpc.call('anvil_setBalance', [rich, `0x${wei.toString(16)}`]);
  for (const account of [payee, listed]) await chain.rpc.call('anvil_setBalance', [account, '0x7']);
  await chain.mineLive(40);
  const always = { random: new Random(1), share: 1, budget: Number.POSITIVE_INFINITY };
  view = await startFaultyProxy({ ...always, target: chain.rpc.url, fault: withdrawals });
  pruned = await startFaultyProxy({ ...always, target: view.url, fault: lacksBlock });
  const database = await engine.open('genesis');
  const manifest = `unhex('${'ab'.repeat(32)}')`;
  await database.command(
    `INSERT INTO registry_entities (manifest, kind, id, address) SELECT ${manifest}, 'wallet', unhex(repeat('01', 32)), unhex('${listed.slice(2)}') UNION ALL SELECT ${manifest}, 'did', unhex(repeat('02', 32)), NULL`,
  );
  await database.command(`INSERT INTO source_documents (name, sha256) SELECT 'registry_manifest', ${manifest}`);
  pipeline = startPipeline({
    database,
    urls: [pruned.url, view.url],
    log: pino({ level: 'warn' }, { write: (line: string) => void jobErrors.push(JSON.parse(line)) }),
    settings: { namedAccounts: [rich], jobsEveryMs: 100 },
  });
  await pipeline.caughtUp(headReader(chain));
});

test.after.always(async () => {
  await pipeline?.stop();
  await pruned?.stop();
  await view?.stop();
  await chain?.stop();
  await engine?.stop();
});

test('D22: genesis documents of both families are read, others are rejected', (t) => {
  const geth = { config: {}, alloc: { [rich.slice(2).toUpperCase()]: { balance: '0x5' }, [poor]: { balance: '0' } } };
  t.deepEqual(genesisAccounts(JSON.stringify(geth)), [rich]);
  const parity = { accounts: { [rich]: { balance: '7', nonce: '0' }, [poor]: { builtin: { name: 'ecrecover' } } } };
  t.deepEqual(genesisAccounts(JSON.stringify(parity)), [rich]);
  t.throws(() => genesisAccounts('{'), { message: /not valid JSON/ });
  t.throws(() => genesisAccounts('{"nodes": []}'), { message: /must have "alloc"/ });
  t.throws(() => genesisAccounts('{"alloc": {"0x12": {}}}'), { message: /not an address/ });
  t.throws(() => genesisAccounts(JSON.stringify({ alloc: { [rich]: { balance: 'much' } } })), {
    message: /must be an amount/,
  });
});

test.serial('D22: a genesis account is listed in the top accounts with its share of the supply', async (t) => {
  const api = await startApi(pipeline.deps.database, [chain.rpc.url]);
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

test.serial('pages of the top accounts miss and repeat none that keeps its place, although others rise', async (t) => {
  const { database } = pipeline.deps;
  const api = await startApi(database, [chain.rpc.url]);
  t.teardown(() => api.stop());
  const page = async (more: string) => (await api.get(`/api/v1/accounts/top?limit=2${more}`)).body;
  const all = (await api.get('/api/v1/accounts/top?limit=6')).body.items.map(
    ({ address }: { address: string }) => address,
  );
  const first = await page('');
  const riser = all[5];
  await database.command(
    `INSERT INTO account_balances SELECT * REPLACE (toUInt256('${wei * 2n}') AS balance, block_number + 1 AS block_number) FROM account_balances FINAL WHERE address = unhex('${riser.slice(2)}')`,
  );
  await chain.mineLive(1);
  await pipeline.caughtUp(headReader(chain));
  await waitFor(async () => (await page('')).items[0].address === riser, 30_000, 'it has risen');
  const second = await page(`&cursor=${first.nextCursor}`);
  const last = first.items[1];
  const behind = (await api.get('/api/v1/accounts/top?limit=50')).body.items.filter(
    ({ address, balance }: typeof last) =>
      BigInt(balance) < BigInt(last.balance) || (balance === last.balance && address > last.address),
  );
  t.deepEqual(second.items, behind.slice(0, 2));
  t.false(second.items.some(({ address }: typeof last) => [last.address, first.items[0].address].includes(address)));
  t.is((await api.get(`/api/v1/accounts/top?limit=2&cursor=${first.nextCursor}x`)).body.code, 'invalid_cursor');
});

test.serial('balances are read at the newest finalized block, and stored before a later request fails', async (t) => {
  const { deps } = pipeline;
  const head = await headReader(chain)();
  const accounts = Array.from({ length: 25_000 }, (_, i) => toBeHex(0xabc00000000 + i, 20));
  const sql = `SELECT count() AS rows, min(block_number) AS first, max(block_number) AS last FROM account_balances FINAL
    WHERE address >= unhex('${accounts[0]!.slice(2)}') AND address <= unhex('${accounts.at(-1)!.slice(2)}')`;
  const stored = () =>
    deps.database.read<{ rows: string; first: string; last: string }>({ ...resolveStatement('chain_state'), sql });
  let asked = 0;
  const prunedSoon = () => {
    if (++asked > 150) throw new Error('no state');
    return head - 40 + Math.floor(asked / 20);
  };
  await t.throwsAsync(storeBalances(deps, accounts, prunedSoon), { message: 'no state' });
  const [part] = await stored();
  t.is(Number(part!.rows), 9_900);
  t.true(Number(part!.last) > Number(part!.first));
  await storeBalances(deps, accounts, () => head - 20);
  t.like((await stored())[0], { rows: '25000', first: String(head - 20), last: String(head - 20) });
});

test.serial('D22: recipients of withdrawals and addresses of the manifest are accounts', async (t) => {
  const { database } = pipeline.deps;
  const sql =
    "SELECT concat('0x', lower(hex(address))) AS address FROM account_balances FINAL WHERE balance = 7 ORDER BY address";
  const rows = () => database.read<{ address: string }>({ ...resolveStatement('manifest_accounts'), sql });
  await waitFor(async () => (await rows()).length === 2, 30_000, 'both are read');
  t.deepEqual(
    (await rows()).map(({ address }) => address),
    [payee, listed],
  );
  t.deepEqual(
    jobErrors.filter(({ job }) => job === 'refreshWithdrawals'),
    [],
    'one node has the block',
  );
  const api = await startApi(database, [chain.rpc.url]);
  t.teardown(() => api.stop());
  const { body } = await api.get(`/api?module=account&action=txsbeaconwithdrawal&address=${payee}`);
  t.is(body.status, '0');
  t.regex(body.result, /validator withdrawals since block 20, but the index does not list them/);
});

test.serial(
  'D23: rewards include emission by block, day and bucket, and all figures of the supply agree',
  async (t) => {
    const { address, emit } = await deployEmitter(chain.rpc, chain.world.accounts[22]!, 2);
    const minted = [7n * fat, 5n];
    const { miner } = await chain.rpc.call<{ miner: string }>('eth_getBlockByNumber', ['latest', false]);
    // emission to other accounts than the producer is not part of the block reward
    for (const [i, producer] of [address, miner].entries()) {
      const topics = [id('RewardMinted(address,uint256)'), zeroPadValue(producer, 32)];
      for (const amount of i === 0 ? minted : minted.slice(1)) await emit({ topics, data: toBeHex(amount, 32) });
      await chain.rpc.call('evm_mine', []);
    }
    const { head } = await pipeline.caughtUp(headReader(chain));
    const blocks = await readChainModel(chain.rpc, head);
    const burned = sum(blocks.map((block) => block.burned));
    const left = sum(blocks.flatMap(({ txs }) => txs.map(({ fee }) => fee))) - burned;
    const perBlock = 3n * fat;
    const node = await startEmittingNode(chain.rpc.url, blocks, perBlock);
    t.teardown(() => node.stop());
    const { supply } = devSettings(chain.rpc.url);
    const sources: [name: string, more: Partial<SupplySettings>, emitted: bigint, inHead: bigint][] = [
      ['no source', {}, 0n, 0n],
      ['events', { rewardContract: address }, sum(minted) + 5n, 5n],
      ['the node', { emissionMethod: 'x_getEmission' }, perBlock * BigInt(blocks.length), perBlock],
    ];
    for (const [name, more, emitted, inHead] of sources) {
      const api = await node.api(pipeline.deps.database, { supply: { ...supply, ...more } });
      const compatible = async (query: string) => (await api.get(`/api?${query}`)).body.result;
      const chart = async (query: string) =>
        (await api.get(`/api/v1/stats/charts/${query}&from=0`)).body.points.map(
          ({ value }: { value: string }) => value,
        );
      const last = blocks.at(-1)!;
      const fees = sum(last.txs.map(({ fee }) => fee)) - last.burned;
      const one = await compatible(`module=block&action=getblockreward&blockno=${last.number}`);
      t.is(one.blockReward, String(fees + inHead), name);
      const [newest] = await compatible(
        `module=account&action=getminedblocks&address=${one.blockMiner}&page=1&offset=5`,
      );
      t.like(newest, { blockNumber: String(last.number), blockReward: one.blockReward }, name);
      const [days, hours] = [
        await chart('newBlockRewards?resolution=day'),
        await chart('newBlockRewards?resolution=hour'),
      ];
      t.is(units(days), left + emitted, name);
      t.is(units(hours), left + emitted, name);
      const range = 'startdate=2020-01-01&enddate=2100-01-01';
      const daily = await compatible(`module=stats&action=dailyblockrewards&${range}`);
      t.is(units(daily.map((row: { blockRewards_Eth: string }) => row.blockRewards_Eth)), left + emitted, name);
      const issued = units(await chart('nativeCoinIssuance?resolution=day'));
      if (emitted > 0n) t.is(issued, emitted, name);
      const total = (await api.get('/api/v1/supply/total')).body;
      for (const resolution of ['hour', 'day', 'year'])
        t.is((await chart(`nativeCoinSupply?resolution=${resolution}`)).at(-1), total, `${name}, ${resolution}`);
      if (emitted > 0n) t.is(total, decimal(supply.schedule.genesis + emitted - burned, fat, 18));
    }
  },
);

const units = (values: readonly string[]) =>
  sum(
    values.map((value) => {
      const [whole, fraction = ''] = value.split('.');
      return BigInt(whole + fraction.padEnd(18, '0'));
    }),
  );
