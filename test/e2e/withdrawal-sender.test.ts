import { rm, writeFile } from 'node:fs/promises';
import test from 'ava';
import { Wallet } from 'ethers';
import { Cordscan } from '#client/index.ts';
import { NodeClient } from '#integrator/node-client.ts';
import { type Payout, Payouts } from '#integrator/payouts.ts';
import { Store } from '#integrator/store.ts';
import { WithdrawalSender } from '#integrator/withdrawal-sender.ts';
import { silentLog } from '#runtime/log.ts';
import { startEdge } from '#test/helpers/edge.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { scratchFolder, spawnCordscan, waitFor } from '#test/helpers/processes.ts';
import { chainId, headReader } from '#test/helpers/service.ts';

class LosingEdge extends NodeClient {
  override once<T>(method: string, params: readonly unknown[]): Promise<T> {
    if (method === 'eth_sendRawTransaction') return Promise.reject(new Error('status 502'));
    return super.once(method, params);
  }
}

class BlindPool extends NodeClient {
  override read<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    return method === 'eth_getTransactionReceipt' ? Promise.resolve(null as T) : super.read(method, params);
  }
}

/** Knows a pending transaction of the wallet, which it drops later. */
class PromisingNode extends NodeClient {
  override read<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    return method === 'eth_getTransactionCount' ? Promise.resolve('0x1' as T) : super.read(method, params);
  }
}

let indexed: IndexedChain;
let dir: string;

test.before(async () => {
  [indexed, dir] = await Promise.all([startIndexedChain({ blocks: 30, seed: 51 }), scratchFolder('cordscan-sender')]);
});

test.after.always(async () => {
  await indexed?.stop();
  await rm(dir, { recursive: true, force: true });
});

const readBalance = async (address: string) =>
  BigInt(await indexed.chain.rpc.call<string>('eth_getBalance', [address, 'latest']));

async function mine(blocks: number): Promise<void> {
  await indexed.chain.mineLive(blocks);
  await indexed.pipeline.caughtUp(headReader(indexed.chain));
}

async function startSender(name: string) {
  const wallet = new Wallet(Wallet.createRandom().privateKey);
  await indexed.chain.rpc.call('anvil_setBalance', [wallet.address, '0x56bc75e2d63100000']);
  const store = await Store.open(`${dir}/${name}`);
  const { url } = indexed.chain.rpc;
  const common = { api: new Cordscan(indexed.api.origin), store, wallet, chainId, gasFloat: 1n, maxPending: 4 };
  const senderTo = (writer: NodeClient, pool: NodeClient) =>
    new WithdrawalSender({ ...common, writer, pool, log: silentLog });
  return { wallet, store, url, senderTo };
}

test.serial('a store that does not know transactions of its wallet counts as lost', async (t) => {
  const { wallet, store, url, senderTo } = await startSender('lost');
  const sender = senderTo(new NodeClient(url), new NodeClient(url));
  t.is(await sender.countUnknown(), 0, 'a new wallet');
  await sender.request('paid', `0x${'a9'.repeat(20)}`, 1n);
  await sender.step();
  t.is(await sender.countUnknown(), 0, 'its pending transaction is in the store');
  const fields = { type: 0, chainId, nonce: 1, to: wallet.address, gasLimit: 21_000n, gasPrice: 10n ** 12n };
  await indexed.chain.rpc.call('eth_sendRawTransaction', [await wallet.signTransaction(fields)]);
  await mine(1);
  t.is(await sender.countUnknown(), 1, 'another program has used the wallet, or the store is old');
  const other = await startSender('other-wallet');
  const wrong = new WithdrawalSender({ ...sender.options, store: other.store });
  await wrong.request('😀', `0x${'a9'.repeat(20)}`, 1n);
  t.is(await wrong.countUnknown(), 2, 'a store with withdrawals of another wallet');
  await wrong.acceptUnknown();
  t.is(await wrong.countUnknown(), 0, 'an operator has accepted them');
  await Promise.all([store.close(), other.store.close()]);
});

test.serial('withdrawals that cannot be paid block no others', async (t) => {
  const { store, url, senderTo } = await startSender('funds');
  const sender = senderTo(new NodeClient(url), new NodeClient(url));
  for (const to of ['XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS', 'a2'.repeat(20)])
    await t.throwsAsync(sender.request('odd', to, 1n), { message: /must have a recipient address/ });
  for (let i = 0; i < 6; i++) await sender.request(`a${i}`, `0x${'a4'.repeat(20)}`, 10n ** 24n);
  await sender.request('b', `0x${'a4'.repeat(20)}`, 7n);
  await sender.step();
  const states = (await sender.payouts()).map(({ id, state }) => [id, state]);
  t.deepEqual(
    states.filter(([, state]) => state === 'signed'),
    [['b', 'signed']],
  );
  await store.close();
});

test.serial('withdrawals of a store without an index of unfinished ones are found', async (t) => {
  const { store } = await startSender('index');
  const [open, ended] = ['requested', 'complete'].map((state) => ({ id: state, to: '0x', value: '1', state }));
  for (const payout of [open, ended]) await store.write([{ key: `payout:${payout!.id}`, value: payout }]);
  await store.write([{ key: 'open:complete', value: true }]);
  const payouts = new Payouts(store);
  t.deepEqual(await payouts.open(), [open as Payout]);
  await payouts.save({ ...(open as Payout), state: 'complete' });
  t.deepEqual(await payouts.open(), []);
  t.is((await payouts.all()).length, 2);
  await store.close();
});

test.serial('what a mined withdrawal paid is subtracted once, and a lack of funds is logged once', async (t) => {
  const { store, url, senderTo } = await startSender('mined');
  const node = new NodeClient(url);
  const sender = senderTo(node, node);
  const errors: object[] = [];
  Object.assign(sender, {
    options: { ...sender.options, log: { ...silentLog, error: (entry: object) => errors.push(entry) } },
  });
  const coins = 10n ** 18n;
  await sender.request('a', `0x${'a8'.repeat(20)}`, 60n * coins);
  await sender.step();
  await mine(1);
  await sender.request('b', `0x${'a8'.repeat(20)}`, 30n * coins);
  await sender.step();
  const states = async () => (await sender.payouts()).map(({ state }) => state);
  t.deepEqual(await states(), ['signed', 'signed'], 'the first one is not confirmed yet');
  await sender.request('c', `0x${'a8'.repeat(20)}`, 30n * coins);
  for (let i = 0; i < 3; i++) await sender.step();
  t.deepEqual(await states(), ['signed', 'signed', 'requested']);
  t.is(errors.length, 1);
  t.like(errors[0], { event: 'withdrawal_waits_for_funds', id: 'c' });
  await store.close();
});

test.serial('a withdrawal reaches the chain although the API refuses to follow it', async (t) => {
  const { store, url, senderTo } = await startSender('unfollowed');
  const node = new NodeClient(url);
  await senderTo(new LosingEdge(url), node).request('a', `0x${'a6'.repeat(20)}`, 5n);
  await senderTo(new LosingEdge(url), node).step();
  const [signed] = await senderTo(node, node).payouts();
  t.is(await readBalance(`0x${'a6'.repeat(20)}`), 0n);
  const sender = senderTo(node, node);
  const refusing = { post: async () => Promise.reject(new Error('daily limit of stored bytes exceeded')) };
  Object.assign(sender, { options: { ...sender.options, api: refusing } });
  await sender.step();
  await mine(1);
  t.is(await readBalance(`0x${'a6'.repeat(20)}`), 5n);
  t.is((await sender.payouts())[0]!.hash, signed!.hash);
  await store.close();
});

test.serial('a nonce that somebody else left unused is an error in the log', async (t) => {
  const { store, url, senderTo } = await startSender('gap');
  const node = new NodeClient(url);
  const sender = senderTo(new PromisingNode(url), node);
  await sender.request('a', `0x${'a7'.repeat(20)}`, 5n);
  await sender.step();
  t.is((await sender.payouts())[0]!.nonce, 1);
  const later = senderTo(node, node);
  const errors: object[] = [];
  Object.assign(later, {
    options: { ...later.options, log: { ...silentLog, error: (entry: object) => errors.push(entry) } },
  });
  await later.step();
  await later.step();
  t.deepEqual(errors, [{ event: 'withdrawal_nonce_gap', id: 'a', nonce: 1, unused: 0 }]);
  await store.close();
});

test.serial('a recipient with code gets enough gas, and one that refuses costs no fee', async (t) => {
  const { store, url, senderTo } = await startSender('contracts');
  const sender = senderTo(new NodeClient(url), new NodeClient(url));
  const codes = { storing: '0x600160005500', refusing: '0x60006000fd' };
  for (const [i, code] of Object.values(codes).entries())
    await indexed.chain.rpc.call('anvil_setCode', [`0x${`c${i}`.repeat(20)}`, code]);
  await sender.request('refused', `0x${'c1'.repeat(20)}`, 5n);
  await sender.request('stored', `0x${'c0'.repeat(20)}`, 5n);
  await sender.step();
  await mine(1);
  const payouts = new Map((await sender.payouts()).map((payout) => [payout.id, payout]));
  t.is(payouts.get('refused')?.state, 'requested');
  const { hash } = payouts.get('stored')!;
  t.like(await indexed.chain.rpc.call('eth_getTransactionReceipt', [hash]), { status: '0x1' });
  await store.close();
});

test.serial(
  'C14: a replacement that paid the same order completes the withdrawal without a new signature',
  async (t) => {
    const { wallet, store, url, senderTo } = await startSender('same');
    const [to, value] = [`0x${'a1'.repeat(20)}`, 1_000n];
    const losing = senderTo(new LosingEdge(url), new NodeClient(url));
    await losing.request('w1', to, value);
    await losing.step();
    const [signed] = await losing.payouts();
    t.is(signed!.state, 'signed');
    const raw = await wallet.signTransaction({
      type: 0,
      chainId,
      nonce: signed!.nonce!,
      to,
      value,
      gasLimit: 21_000n,
      gasPrice: 10n ** 12n,
    });
    const rival = await indexed.chain.rpc.call<string>('eth_sendRawTransaction', [raw]);
    await mine(22);
    const blind = senderTo(new NodeClient(url), new BlindPool(url));
    await blind.step();
    t.is((await blind.payouts())[0]!.state, 'signed', 'the read pool has not confirmed the rival');
    const sender = senderTo(new NodeClient(url), new NodeClient(url));
    await sender.step();
    t.like((await sender.payouts())[0], { state: 'complete', paidBy: rival });
    await sender.step();
    await mine(2);
    t.is(await readBalance(to), value, 'paid once');
    await store.close();
  },
);

test.serial('C14: a replacement that paid something else makes the sender sign again', async (t) => {
  const { wallet, store, url, senderTo } = await startSender('other');
  const [to, value] = [`0x${'a2'.repeat(20)}`, 2_000n];
  const losing = senderTo(new LosingEdge(url), new NodeClient(url));
  await losing.request('w2', to, value);
  await losing.step();
  const [signed] = await losing.payouts();
  const raw = await wallet.signTransaction({
    type: 0,
    chainId,
    nonce: signed!.nonce!,
    to: `0x${'a3'.repeat(20)}`,
    value,
    gasLimit: 21_000n,
    gasPrice: 10n ** 12n,
  });
  await indexed.chain.rpc.call<string>('eth_sendRawTransaction', [raw]);
  await mine(22);
  const sender = senderTo(new NodeClient(url), new NodeClient(url));
  for (let round = 0; round < 3; round++) await sender.step();
  await mine(22);
  for (let round = 0; round < 3; round++) await sender.step();
  t.is((await sender.payouts())[0]!.state, 'complete');
  t.is(await readBalance(to), value);
  await store.close();
});

test.serial('commands of the exchange say what they watch and since which block', async (t) => {
  const [addresses, requests] = [`${dir}/addresses`, `${dir}/requests`];
  await writeFile(addresses, indexed.chain.world.accounts.slice(0, 2).join('\n'));
  await writeFile(requests, '');
  const edge = await startEdge({ writerUrl: indexed.chain.rpc.url });
  t.teardown(() => edge.stop());
  const common = ['--api', indexed.api.origin, '--edge', edge.origin];
  const says = async (args: string[], isReady: (output: string) => boolean) => {
    const child = spawnCordscan(['integrator', ...args, ...common], {
      ...{ LOG_LEVEL: 'info', LOG_FORMAT: 'text', WALLET_KEY: Wallet.createRandom().privateKey },
    });
    let output = '';
    child.stderr?.on('data', (chunk) => (output += String(chunk)));
    const ended = new Promise((resolve) => child.once('close', resolve));
    try {
      await waitFor(
        () => isReady(output),
        30_000,
        () => output,
      );
    } finally {
      child.kill('SIGTERM'); // a running child would keep the test process open
      await ended;
    }
    return output;
  };
  const deposits = ['deposits', '--store', `${dir}/watched`, '--addresses', addresses];
  const first = await says(deposits, (output) => output.includes('deposit credited'));
  t.regex(first, /watches deposits to 2 addresses of \S+ since block 0/);
  const second = await says(deposits, (output) => output.includes('watches'));
  const through = Number(/since block (\d+)/.exec(second)?.[1]);
  t.true(through > 0, second);
  const withdrawals = ['withdrawals', '--store', `${dir}/paid`, '--requests', requests];
  const paying = await says(withdrawals, (output) => output.includes('from its first line'));
  t.regex(paying, /reads \S+ from its first line; 0 withdrawals are pending at block [1-9]/);
});
