/**
 * An exchange uses only public interfaces during reorgs, node failures and kills. For the long run, set
 * DEPOSIT_ADDRESSES=1000 WITHDRAWALS=200 MONEY_KILLS=50.
 */
import type { ChildProcess } from 'node:child_process';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { Wallet } from 'ethers';
import type { DevChain } from '#devchain/devchain.ts';
import { Random } from '#devchain/random.ts';
import type { Credit } from '#integrator/credit.ts';
import { checkIdentity } from '#integrator/identity-check.ts';
import type { Payout } from '#integrator/payouts.ts';
import { Store } from '#integrator/store.ts';
import { readChainModel } from '#test/helpers/chain-model.ts';
import { type RunningEdge, startEdge } from '#test/helpers/edge.ts';
import { type Fault, type FaultyProxy, startFaultyProxy } from '#test/helpers/faulty-proxy.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { scratchFolder, spawnCordscan, waitFor } from '#test/helpers/processes.ts';
import { headReader, type RunningApi, startApi } from '#test/helpers/service.ts';

const seed = Number(process.env.SEED ?? 7);
const addressCount = Number(process.env.DEPOSIT_ADDRESSES ?? 60);
const withdrawalCount = Number(process.env.WITHDRAWALS ?? 12);
const kills = Number(process.env.MONEY_KILLS ?? 3);

let indexed: IndexedChain;
let writer: FaultyProxy;
let reader: FaultyProxy;
let edge: RunningEdge;
let api: RunningApi;
let dir: string;

test.before(async (t) => {
  t.log(`seed ${seed}, ${addressCount} addresses, ${withdrawalCount} withdrawals, ${kills} kills`);
  indexed = await startIndexedChain({ blocks: 40, seed }, { pollIntervalMs: 30 });
  const random = new Random(seed);
  const proxy = () => startFaultyProxy({ target: indexed.chain.rpc.url, random, fault: null, share: 1, budget: 0 });
  [writer, reader] = [await proxy(), await proxy()];
  edge = await startEdge({
    writerUrl: writer.url,
    readUrls: [reader.url, writer.url],
    wsUrl: indexed.chain.rpc.url.replace('http', 'ws'),
  });
  api = await startApi(indexed.pipeline.deps.database, [writer.url, reader.url]);
  dir = await scratchFolder('cordscan-money');
});

test.after.always(async () => {
  await api?.stop();
  await edge?.stop();
  await Promise.all([writer?.stop(), reader?.stop()]);
  await indexed?.stop();
  if (dir) await rm(dir, { recursive: true, force: true });
});

/** A node that accepts transactions but answers 502, fails, or serves a chain that lags. */
const badNode: Fault = async ({ calls, replies, response, random }) => {
  const isWrite = calls.some((call) => call.method === 'eth_sendRawTransaction');
  if (random.chance(isWrite ? 0.4 : 0.08)) {
    response.writeHead(random.pick([502, 503, 504])).end();
    return 'answered';
  }
  if (calls[0]?.method === 'eth_blockNumber' && random.chance(0.1)) {
    replies[0].result = `0x${Math.max(0, Number(replies[0].result) - random.between(1, 30)).toString(16)}`;
    return 'changed';
  }
  if (calls[0]?.method === 'eth_getTransactionReceipt' && random.chance(0.1)) {
    replies[0].result = null;
    return 'changed';
  }
  return 'untouched';
};

/** Depositors react to a reorg: they send the same transaction again, or another payment. */
class Depositors {
  readonly #wallets = Array.from({ length: 5 }, () => Wallet.createRandom());
  readonly #sent: string[] = [];
  readonly chain: DevChain;
  readonly random: Random;

  private constructor(chain: DevChain, random: Random) {
    this.chain = chain;
    this.random = random;
  }

  static async create(chain: DevChain, random: Random): Promise<Depositors> {
    const depositors = new Depositors(chain, random);
    for (const { address } of depositors.#wallets)
      await chain.rpc.call('anvil_setBalance', [address, '0x3635c9adc5dea00000']);
    return depositors;
  }

  async pay(to: string, value: bigint): Promise<void> {
    const wallet = this.random.pick(this.#wallets);
    const nonce = Number(await this.chain.rpc.call('eth_getTransactionCount', [wallet.address, 'pending']));
    const fields = { type: 0, chainId: 271_828, nonce, to, value, gasLimit: 21_000, gasPrice: 10n ** 12n };
    const raw = await wallet.signTransaction(fields);
    this.#sent.push(raw);
    await this.chain.rpc.call('eth_sendRawTransaction', [raw]);
  }

  async payAgain(): Promise<void> {
    for (const raw of this.#sent.slice(-80)) await this.chain.rpc.call('eth_sendRawTransaction', [raw]).catch(() => {});
  }
}

class Service {
  #child: ChildProcess | undefined;
  readonly args: string[];
  readonly env: Record<string, string>;
  constructor(args: string[], env: Record<string, string>) {
    this.args = args;
    this.env = env;
  }
  start(): void {
    this.#child = spawnCordscan(this.args, this.env);
  }
  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child!;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await ended;
  }
}

test.serial('exchange credits every canonical deposit once and pays every withdrawal once', async (t) => {
  const random = new Random(seed);
  const { chain } = indexed;
  const hot = Wallet.createRandom();
  await chain.rpc.call('anvil_setBalance', [hot.address, '0x3635c9adc5dea00000']);
  const depositors = await Depositors.create(chain, random);
  const deposits = Array.from({ length: addressCount }, () => Wallet.createRandom().address.toLowerCase());
  const payees = Array.from({ length: withdrawalCount }, (_, i) => ({
    to: Wallet.createRandom().address.toLowerCase(),
    value: 1_000n + BigInt(i),
  }));
  const [addressFile, requestFile] = [join(dir, 'addresses'), join(dir, 'requests')];
  await writeFile(addressFile, deposits.join('\n'));
  await writeFile(requestFile, '');
  const books = { deposits: join(dir, 'deposits'), withdrawals: join(dir, 'withdrawals') };
  const common = ['--api', api.origin, '--edge', edge.origin];
  const env = { WALLET_KEY: hot.privateKey, LOG_LEVEL: 'error' };
  const services = [
    new Service(['integrator', 'deposits', '--store', books.deposits, '--addresses', addressFile, ...common], env),
    new Service(['integrator', 'withdrawals', '--store', books.withdrawals, '--requests', requestFile, ...common], env),
  ];
  for (const service of services) service.start();
  t.teardown(() => Promise.all(services.map((service) => service.end('SIGKILL'))));
  writer.setFault(badNode);
  reader.setFault(badNode);
  const rounds = Math.max(12, kills * 2);
  let requested = 0;
  for (let round = 0; round < rounds; round++) {
    const until = Math.ceil((withdrawalCount * (round + 1)) / rounds);
    for (; requested < until; requested++)
      await appendFile(requestFile, `w${requested} ${payees[requested]!.to} ${payees[requested]!.value}\n`);
    for (let i = 0; i < Math.ceil((addressCount * 1.5) / rounds); i++)
      await depositors.pay(random.pick(deposits), BigInt(random.between(1, 1_000_000)));
    await chain.mineLive(random.between(1, 4));
    if (random.chance(0.25)) {
      await chain.reorg(random.between(1, 19));
      if (random.chance(0.7)) await depositors.payAgain();
    }
    if (round % 2 === 1 && round / 2 < kills) {
      const service = random.pick(services);
      await service.end('SIGKILL');
      service.start();
    }
    await new Promise((resolve) => setTimeout(resolve, random.between(50, 400)));
  }
  writer.setFault(null);
  reader.setFault(null);
  await waitFor(
    async () => {
      await chain.mineLive(3);
      await indexed.pipeline.caughtUp(headReader(chain), 60_000);
      const nonce = Number(await chain.rpc.call('eth_getTransactionCount', [hot.address, 'latest']));
      return nonce >= withdrawalCount;
    },
    60_000 + 3_000 * withdrawalCount,
    'every withdrawal is mined',
  );
  await chain.mineLive(22);
  const { head } = await indexed.pipeline.caughtUp(headReader(chain), 60_000);
  const transfers = (await readChainModel(chain.rpc, head))
    .flatMap((block) => block.txs)
    .filter((tx) => tx.value > 0n && tx.status === 1 && tx.to);
  const expected = transfers.filter((tx) => deposits.includes(tx.to!) && tx.block + 20 <= head);
  t.true(expected.length >= addressCount / 6);
  for (let i = 0; i < 12; i++) {
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    for (const service of services) await service.end('SIGTERM');
    if (
      (await readCredits(books.deposits)).length >= expected.length &&
      (await readPayouts(books.withdrawals)).every((one) => one.state === 'complete')
    )
      break;
    for (const service of services) service.start();
  }
  const credits = await readCredits(books.deposits);
  t.deepEqual(
    credits.map((one) => `${one.txHash} ${one.to} ${one.value}`).sort(),
    expected.map((tx) => `${tx.hash} ${tx.to} ${tx.value}`).sort(),
  );
  const sum = (values: bigint[]) => values.reduce((total, value) => total + value, 0n);
  t.is(sum(credits.map((one) => BigInt(one.value))), sum(expected.map((tx) => tx.value)));
  const payouts = await readPayouts(books.withdrawals);
  t.is(payouts.length, withdrawalCount);
  t.true(payouts.every((one) => one.state === 'complete'));
  t.is(new Set(payouts.map((one) => one.hash)).size, withdrawalCount);
  for (const { to, value } of payees) {
    t.is(BigInt(await chain.rpc.call<string>('eth_getBalance', [to, 'latest'])), value, `${to} is paid once`);
    t.is(transfers.filter((tx) => tx.to === to).length, 1);
  }
});

async function readEntries<T>(directory: string, prefix: string): Promise<T[]> {
  const store = await Store.open(directory);
  const entries = await store.list<T>(prefix);
  await store.close();
  return entries.map(([, value]) => value);
}
const readCredits = (directory: string) => readEntries<Credit>(directory, 'credit:');
const readPayouts = (directory: string) => readEntries<Payout>(directory, 'payout:');

test.serial('node check certifies a good URL and reports a bad one', async (t) => {
  const { hash } = await indexed.chain.rpc.call<{ hash: string }>('eth_getBlockByNumber', ['0x0', false]);
  const good = { chainId: 271_828, genesisHash: hash, referenceUrl: indexed.chain.rpc.url };
  const named = async (options: Parameters<typeof checkIdentity>[0]) => {
    const { passed, checks } = await checkIdentity(options);
    return [passed, checks.filter((check) => !check.passed).map((check) => check.name)];
  };
  t.deepEqual(await named({ ...good, url: edge.origin, isReadPool: false }), [true, []]);
  t.deepEqual(await named({ ...good, url: `${edge.origin}/v1/read`, isReadPool: true }), [true, []]);
  t.deepEqual(await named({ ...good, url: edge.origin, isReadPool: true }), [false, ['writeRefusal']]);
  t.deepEqual(await named({ ...good, url: edge.origin, isReadPool: false, chainId: 1 }), [false, ['chainId']]);
  t.deepEqual(await named({ ...good, url: edge.origin, isReadPool: false, genesisHash: `0x${'1'.repeat(64)}` }), [
    false,
    ['genesisHash'],
  ]);
  const transaction = indexed.blocks.flatMap(({ txs }) => txs)[0]!.hash;
  t.deepEqual(await named({ ...good, url: edge.origin, isReadPool: false, transaction }), [true, []]);
  const unknown = { ...good, url: edge.origin, isReadPool: false, transaction: `0x${'1'.repeat(64)}` };
  t.deepEqual(await named(unknown), [false, ['receipts']]);
});
