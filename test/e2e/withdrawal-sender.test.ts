import { rm, writeFile } from 'node:fs/promises';
import test from 'ava';
import { Wallet } from 'ethers';
import { Cordscan } from '#client/index.ts';
import { NodeClient } from '#integrator/node-client.ts';
import { Store } from '#integrator/store.ts';
import { WithdrawalSender } from '#integrator/withdrawal-sender.ts';
import { silentLog } from '#runtime/log.ts';
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

test.serial('an empty store of a wallet that has sent transactions counts as lost', async (t) => {
  const { wallet, store, url, senderTo } = await startSender('lost');
  const sender = senderTo(new NodeClient(url), new NodeClient(url));
  t.true(await sender.hasHistory(), 'a new wallet');
  const fields = { type: 0, chainId, nonce: 0, to: wallet.address, gasLimit: 21_000n, gasPrice: 10n ** 12n };
  await indexed.chain.rpc.call('eth_sendRawTransaction', [await wallet.signTransaction(fields)]);
  await mine(1);
  t.false(await sender.hasHistory());
  await sender.request('😀', `0x${'a2'.repeat(20)}`, 1n);
  t.true(await sender.hasHistory());
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
  const common = ['--api', indexed.api.origin, '--edge', indexed.chain.rpc.url];
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
