import { rm } from 'node:fs/promises';
import test, { type ExecutionContext } from 'ava';
import { Transaction, Wallet } from 'ethers';
import { type Payout, Payouts } from '#integrator/payouts.ts';
import { Store } from '#integrator/store.ts';
import { scratchFolder } from '#test/helpers/processes.ts';

const hash = (digit: string) => `0x${digit.repeat(64)}`;
const chain = { chainId: 271_828, genesisHash: hash('a') };
const others = [
  { chainId: 5, genesisHash: hash('a') },
  { chainId: 271_828, genesisHash: hash('b') },
];

async function openPayouts(t: ExecutionContext): Promise<Payouts> {
  const folder = await scratchFolder('cordscan-payouts');
  const store = await Store.open(folder);
  t.teardown(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  return new Payouts(store);
}

async function signPayout(id: string, chainId: number): Promise<Payout> {
  const [to, value] = [`0x${'a1'.repeat(20)}`, 7n];
  const fields = { type: 0, chainId, nonce: 0, to, value, gasLimit: 21_000n, gasPrice: 1n };
  const raw = await Wallet.createRandom().signTransaction(fields);
  return { id, to, value: '7', state: 'complete', nonce: 0, raw, hash: Transaction.from(raw).hash! };
}

test('a store of payouts belongs to the chain of its first start', async (t) => {
  const payouts = await openPayouts(t);
  await payouts.bindTo(chain);
  await t.notThrowsAsync(payouts.bindTo(chain));
  for (const other of others)
    await t.throwsAsync(payouts.bindTo(other), {
      name: 'OtherChainError',
      message: /^the store belongs to chain 271828 with genesis 0xa+, but this is chain \d+ with genesis 0x/,
    });
  await t.notThrowsAsync(payouts.bindTo(chain));
  t.deepEqual(await payouts.all(), [], 'the entry is no payout');
});

test('a store of an earlier version belongs to the chain of its signed payouts', async (t) => {
  const payouts = await openPayouts(t);
  await payouts.save({ id: 'unsigned', to: `0x${'a1'.repeat(20)}`, value: '1', state: 'requested' });
  await payouts.save(await signPayout('paid', 5));
  await t.throwsAsync(payouts.bindTo(chain), {
    name: 'OtherChainError',
    message: /^the store belongs to chain 5, but/,
  });
  await t.notThrowsAsync(payouts.bindTo(others[0]!));
  const unbound = await openPayouts(t);
  await unbound.save(await signPayout('rehearsed', 5));
  await unbound.save(await signPayout('paid', chain.chainId));
  await unbound.bindTo(chain);
  await t.throwsAsync(unbound.bindTo(others[1]!), { name: 'OtherChainError' });
});
