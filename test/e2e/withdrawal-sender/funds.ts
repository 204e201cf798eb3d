/** Reasons why withdrawals are not signed: unknown transactions, funds, gas and its price. */
import test from 'ava';
import { NodeClient } from '#integrator/node-client.ts';
import { WithdrawalSender } from '#integrator/withdrawal-sender.ts';
import { silentLog } from '#runtime/log.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { chainId } from '#test/helpers/service.ts';
import { indexed, mine, PromisingNode, startSender } from './setup.ts';

test.serial('a store that does not know transactions of its wallet counts as lost', async (t) => {
  const { wallet, store, url, senderTo } = await startSender('lost');
  const sender = senderTo(new NodeClient(url), new NodeClient(url));
  t.is(await sender.nonces.countUnknown(), 0, 'a new wallet');
  await sender.request('paid', `0x${'a9'.repeat(20)}`, 1n);
  await sender.step();
  t.is(await sender.nonces.countUnknown(), 0, 'its pending transaction is in the store');
  const fields = { type: 0, chainId, nonce: 1, to: wallet.address, gasLimit: 21_000n, gasPrice: 10n ** 12n };
  await indexed.chain.rpc.call('eth_sendRawTransaction', [await wallet.signTransaction(fields)]);
  await mine(1);
  t.is(await sender.nonces.countUnknown(), 1, 'another program has used the wallet, or the store is old');
  const other = await startSender('other-wallet');
  const wrong = new WithdrawalSender({ ...sender.options, store: other.store });
  await wrong.request('😀', `0x${'a9'.repeat(20)}`, 1n);
  t.is(await wrong.nonces.countUnknown(), 2, 'a store with withdrawals of another wallet');
  await wrong.nonces.acceptUnknown();
  t.is(await wrong.nonces.countUnknown(), 0, 'an operator has accepted them');
  await Promise.all([store.close(), other.store.close()]);
});

test.serial('while another program uses the wallet, or gas is too expensive, no withdrawal is signed', async (t) => {
  const { wallet, store, url, senderTo } = await startSender('shared');
  const node = new NodeClient(url);
  const sender = senderTo(node, node);
  const errors: object[] = [];
  const options = { ...sender.options, log: { ...silentLog, error: (entry: object) => errors.push(entry) } };
  Object.assign(sender, { options: { ...options, maxGasPrice: 1n } });
  const to = `0x${'aa'.repeat(20)}`;
  await sender.request('first', to, 1n);
  for (let i = 0; i < 2; i++) await sender.step();
  t.is(errors.length, 1);
  t.like(errors[0], { event: 'withdrawal_waits_for_gas_price', id: 'first', count: 1, maxGasPrice: '1' });
  Object.assign(sender, { options });
  const fields = { type: 0, chainId, nonce: 0, to, value: 1n, gasLimit: 21_000n, gasPrice: 10n ** 12n };
  await indexed.chain.rpc.call('eth_sendRawTransaction', [await wallet.signTransaction(fields)]);
  const states = async () => (await sender.payouts()).map(({ state, nonce }) => [state, nonce]);
  await waitFor(async () => (await sender.step()) && errors.length > 1, 10_000, 'the sender notices the transaction');
  t.like(errors[1], { event: 'withdrawal_unknown_transactions', count: 1, transactions: 1 });
  t.deepEqual(await states(), [['requested', undefined]], 'the other transaction may have paid it');
  await sender.nonces.acceptUnknown();
  await waitFor(async () => (await sender.step()) && (await states())[0]![0] === 'signed', 10_000, 'it is paid');
  t.deepEqual(await states(), [['signed', 1]]);
  await store.close();
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

test.serial('a nonce that somebody else left unused is an error in the log', async (t) => {
  const { store, url, senderTo } = await startSender('gap');
  const node = new NodeClient(url);
  const sender = senderTo(new PromisingNode(url), node);
  await sender.nonces.acceptUnknown();
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
