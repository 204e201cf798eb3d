import type { ChildProcess } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test, { type ExecutionContext } from 'ava';
import { Wallet } from 'ethers';
import type { Credit } from '#integrator/credit.ts';
import { Store } from '#integrator/store.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { runCordscan, scratchFolder, spawnCordscan, waitFor } from '#test/helpers/processes.ts';
import { chainId, headReader } from '#test/helpers/service.ts';

let indexed: IndexedChain;
let dir: string;
const to = `0x${'d0'.repeat(20)}`;
const wallet = Wallet.createRandom();

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 40, seed: 5 }, { pollIntervalMs: 30 });
  dir = await scratchFolder('cordscan-monitor');
  await writeFile(join(dir, 'addresses'), to);
  await indexed.chain.rpc.call('anvil_setBalance', [wallet.address, '0x3635c9adc5dea00000']);
});

test.after.always(async () => {
  await indexed?.stop();
  if (dir) await rm(dir, { recursive: true, force: true });
});

/** Pays the deposit address, and mines the payment. @returns the hash of the transaction */
async function deposit(value: number): Promise<string> {
  const nonce = Number(await indexed.chain.rpc.call('eth_getTransactionCount', [wallet.address, 'latest']));
  const fields = { type: 0, chainId, nonce, to, value, gasLimit: 21_000, gasPrice: 10n ** 12n };
  const raw = await wallet.signTransaction(fields);
  const hash = await indexed.chain.rpc.call<string>('eth_sendRawTransaction', [raw]);
  await mine(1);
  return hash;
}

async function mine(blocks: number): Promise<void> {
  await indexed.chain.mineLive(blocks);
  await indexed.pipeline.caughtUp(headReader(indexed.chain));
}

interface Line {
  readonly event: string;
  readonly txHash?: string;
  readonly frozenBy?: readonly string[];
}

class Monitor {
  readonly lines: Line[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor(t: ExecutionContext, ...more: string[]) {
    const services = ['--api', indexed.api.origin, '--edge', indexed.chain.rpc.url];
    const files = ['--store', join(dir, 'store'), '--addresses', join(dir, 'addresses')];
    this.#child = spawnCordscan(['integrator', 'deposits', ...files, ...services, ...more], { LOG_LEVEL: 'info' });
    this.#ended = new Promise((resolve) => this.#child.once('close', resolve));
    t.teardown(() => this.stop());
    if (this.#child.stderr)
      createInterface(this.#child.stderr).on('line', (line) => this.lines.push(JSON.parse(line) as Line));
  }

  waitForEvent(event: string, txHash?: string): Promise<void> {
    const isLogged = () => this.lines.some((line) => line.event === event && (!txHash || line.txHash === txHash));
    return waitFor(isLogged, 60_000, () => `${event} in ${JSON.stringify(this.lines)}`);
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#ended;
  }
}

async function readHashes(prefix: string): Promise<string[]> {
  const store = await Store.open(join(dir, 'store'));
  const entries = await store.list<Credit>(prefix);
  await store.close();
  return entries.map(([, { txHash }]) => txHash);
}

const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1_000));

test.serial('an exchange can require more than 20 confirmations, but not fewer', async (t) => {
  const hash = await deposit(1);
  await mine(20);
  const verdict = (query = '') => indexed.api.get(`/api/v1/deposits/verdict?tx=${hash}&to=${to}${query}`);
  t.like((await verdict()).body, { verdict: 'creditable', confirmations: 20, required: 20 });
  t.like((await verdict('&minConfirmations=20')).body, { verdict: 'creditable', required: 20 });
  const waits = (await verdict('&minConfirmations=21')).body;
  t.like(waits, { verdict: 'wait', state: 'confirming', confirmations: 20, required: 21 });
  t.deepEqual(waits.rulesFailed, [{ rule: 'confirmations', detail: '20 confirmations, 21 required' }]);
  for (const number of [0, 19, 100_001, '']) {
    const { status, body } = await verdict(`&minConfirmations=${number}`);
    t.is(`${status} ${body.code}`, '400 bad_query');
    t.is(body.detail, 'minConfirmations must be a whole number from 20 to 100000');
  }
  const files = ['--store', join(dir, 'none'), '--addresses', join(dir, 'addresses')];
  const { code, output } = await runCordscan(['integrator', 'deposits', ...files, '--confirmations', '19'], {});
  t.is(code, 2);
  t.regex(output, /--confirmations must be from 20 to 100000 confirmations, got 19/);
  const monitor = new Monitor(t, '--confirmations', '21');
  await monitor.waitForEvent('deposits_watched');
  await seconds(2);
  t.false(monitor.lines.some(({ event }) => event === 'deposit_credited'));
  await mine(1);
  await monitor.waitForEvent('deposit_credited', hash);
  await monitor.stop();
});

test.serial('after a reorg orphaned a credit, the monitor credits nothing until it is acknowledged', async (t) => {
  const lost = await deposit(2);
  await mine(20);
  let monitor = new Monitor(t);
  await monitor.waitForEvent('deposit_credited', lost);
  await indexed.chain.reorg(25);
  const next = await deposit(3);
  await mine(20);
  await monitor.waitForEvent('deposit_credit_orphaned', lost);
  await monitor.waitForEvent('deposit_crediting_frozen', lost);
  await seconds(2);
  await monitor.stop();
  t.true((await readHashes('candidate:')).includes(next), 'the next deposit is stored');
  const isFrozenBy = (event: string) => monitor.lines.find((line) => line.event === event)?.frozenBy?.includes(lost);
  t.true(isFrozenBy('deposits_stopped'));
  monitor = new Monitor(t);
  await monitor.waitForEvent('deposit_crediting_frozen');
  await seconds(2);
  await monitor.stop();
  t.true(isFrozenBy('deposits_watched'));
  t.false((await readHashes('credit:')).includes(next));
  const acknowledge = (hash: string) =>
    runCordscan(['integrator', 'acknowledge', hash, '--store', join(dir, 'store')], { LOG_FORMAT: 'text' });
  const wrong = await acknowledge(next);
  t.is(wrong.code, 1);
  t.regex(wrong.output, new RegExp(`^${next} is not a credit that stops credits; these are: ${lost}`));
  const acknowledged = await acknowledge(lost);
  t.deepEqual([acknowledged.code, JSON.parse(acknowledged.output)], [0, { acknowledged: lost, frozenBy: [] }]);
  monitor = new Monitor(t);
  await monitor.waitForEvent('deposit_credited', next);
  await monitor.stop();
  const credits = await readHashes('credit:');
  t.is(credits.filter((hash) => hash === next).length, 1);
  t.true(credits.includes(lost), 'the credit stays in the store');
});
