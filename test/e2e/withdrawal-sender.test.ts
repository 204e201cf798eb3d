import './withdrawal-sender/funds.ts';
import { writeFile } from 'node:fs/promises';
import test from 'ava';
import { Wallet } from 'ethers';
import { NodeClient } from '#integrator/node-client.ts';
import { type Payout, Payouts } from '#integrator/payouts.ts';
import { WithdrawalSender } from '#integrator/withdrawal-sender.ts';
import { startEdge } from '#test/helpers/edge.ts';
import { spawnCordscan, waitFor } from '#test/helpers/processes.ts';
import { chainId } from '#test/helpers/service.ts';
import { BlindPool, dir, indexed, LosingEdge, mine, readBalance, startSender } from './withdrawal-sender/setup.ts';

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

test.serial('a payout that another wallet of the same store signed is followed to its end', async (t) => {
  const { wallet, store, url, senderTo } = await startSender('old-wallet');
  const [to, value, node] = [`0x${'ab'.repeat(20)}`, 3_000n, new NodeClient(url)];
  const old = senderTo(new LosingEdge(url), node);
  await old.request('w', to, value);
  await old.step();
  const fields = { type: 0, chainId, nonce: 0, to, value, gasLimit: 21_000n, gasPrice: 10n ** 12n };
  const rival = await indexed.chain.rpc.call<string>('eth_sendRawTransaction', [await wallet.signTransaction(fields)]);
  await mine(22);
  const sender = new WithdrawalSender({
    ...old.options,
    writer: node,
    wallet: new Wallet(Wallet.createRandom().privateKey),
  });
  await sender.step();
  t.like((await sender.payouts())[0], { state: 'complete', paidBy: rival });
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
