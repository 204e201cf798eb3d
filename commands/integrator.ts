/** `cordscan integrator …`: the exchange's side, over public interfaces alone. */
import { readFileSync } from 'node:fs';
import { Wallet } from 'ethers';
import { DepositMonitor } from '#integrator/deposit-monitor.ts';
import { ApiClient, NodeClient } from '#integrator/http.ts';
import { checkIdentity } from '#integrator/identity-check.ts';
import { Store } from '#integrator/store.ts';
import { WithdrawalSender } from '#integrator/withdrawal-sender.ts';
import type { Config } from '#runtime/config.ts';
import { createLog, type Log } from '#runtime/log.ts';
import { pause, shutdownSignal } from '#runtime/shutdown.ts';

const idleMs = 500;

export interface CheckOptions {
  readonly reference?: string;
  readonly readPool?: boolean;
}

/** Prints the certificate; exit code 1 where the node is not to be used. */
export async function runCheck(config: Config, url: string, options: CheckOptions): Promise<void> {
  const certificate = await checkIdentity({
    url,
    chainId: config.CHAIN_ID,
    genesisHash: config.GENESIS_HASH,
    referenceUrl: options.reference,
    isReadPool: options.readPool ?? false,
  });
  console.log(JSON.stringify(certificate, null, 2));
  process.exit(certificate.passed ? 0 : 1);
}

export interface BookOptions {
  readonly api?: string;
  readonly edge?: string;
  readonly store: string;
}

function urls(config: Config, { api, edge }: BookOptions) {
  const writerUrl = edge ?? `http://${config.HOST}:${config.EDGE_PORT}`;
  return {
    api: new ApiClient(api ?? `http://${config.HOST}:${config.PORT}`),
    writer: new NodeClient(writerUrl),
    pool: new NodeClient(`${writerUrl.replace(/\/$/, '')}/v1/read`),
  };
}

/** Refuses to touch money over a node of another chain. @throws Error naming what differs */
async function assertChain(config: Config, writer: NodeClient): Promise<void> {
  const chainId = Number(await writer.read<string>('eth_chainId'));
  if (chainId !== config.CHAIN_ID) throw new Error(`the edge serves chain ${chainId}, CHAIN_ID is ${config.CHAIN_ID}`);
  if (!config.GENESIS_HASH) return;
  const { hash } = await writer.read<{ hash: string }>('eth_getBlockByNumber', ['0x0', false]);
  if (hash.toLowerCase() !== config.GENESIS_HASH)
    throw new Error(`the edge serves genesis ${hash}, expected ${config.GENESIS_HASH}`);
}

/** Runs steps until the signal fires; a fault is logged and the step done again. */
async function loop(log: Log, step: () => Promise<boolean>): Promise<void> {
  const signal = shutdownSignal();
  let pauseMs = idleMs;
  while (!signal.aborted) {
    const isBusy = await step().catch((error: unknown) => {
      log.warn({ event: 'step_fault', error: String(error) });
      return undefined;
    });
    pauseMs = isBusy === undefined ? Math.min(pauseMs * 2, 10_000) : idleMs;
    await pause(isBusy ? idleMs / 10 : pauseMs, signal);
  }
}

/** Credits deposits to the addresses of a file, one a line. */
export async function runMonitor(
  config: Config,
  options: BookOptions & { addresses: string; minValue: string },
): Promise<void> {
  const { api, writer } = urls(config, options);
  await assertChain(config, writer);
  const addresses = readFileSync(options.addresses, 'utf8')
    .split(/\s+/)
    .filter(Boolean)
    .map((line) => line.toLowerCase());
  const store = await Store.open(options.store);
  const log = createLog('deposits', config.LOG_LEVEL);
  const monitor = new DepositMonitor({
    api,
    store,
    chainId: config.CHAIN_ID,
    addresses,
    minValue: BigInt(options.minValue),
    log,
  });
  await loop(log, () => monitor.step());
  await store.close();
}

/** Pays the withdrawals of a file, one a line: id, recipient, wei; lines may be added while it runs. WALLET_KEY signs. */
export async function runSender(
  config: Config,
  options: BookOptions & { requests: string; gasFloat: string; maxPending: number },
): Promise<void> {
  const { api, writer, pool } = urls(config, options);
  await assertChain(config, writer);
  const key = process.env.WALLET_KEY;
  if (!key) throw new Error('WALLET_KEY is not set: the private key of the hot wallet');
  const store = await Store.open(options.store);
  const log = createLog('withdrawals', config.LOG_LEVEL);
  const sender = new WithdrawalSender({
    api,
    writer,
    pool,
    store,
    wallet: new Wallet(key),
    chainId: config.CHAIN_ID,
    gasFloat: BigInt(options.gasFloat),
    maxPending: options.maxPending,
    log,
  });
  let taken = 0;
  await loop(log, async () => {
    const lines = readFileSync(options.requests, 'utf8').split('\n').slice(0, -1); // the last one may not be whole yet
    for (const line of lines.slice(taken)) {
      taken++;
      await takeLine(sender, line).catch((error: unknown) =>
        log.error({ event: 'request_refused', line: taken, error: String(error) }),
      );
    }
    return sender.step();
  });
  await store.close();
}

/** @throws Error where the line is no withdrawal */
async function takeLine(sender: WithdrawalSender, line: string): Promise<void> {
  if (line.trim() === '') return;
  const [id, to, value = ''] = line.trim().split(/\s+/);
  if (!id || !to || !/^\d{1,78}$/.test(value)) throw new Error('a line is an id, a recipient and wei');
  await sender.request(id, to, BigInt(value));
}

/** What is in the books. */
export async function runBooks(options: Pick<BookOptions, 'store'>): Promise<void> {
  const store = await Store.open(options.store);
  for (const [key, value] of await store.list('')) console.log(JSON.stringify({ key, value }));
  await store.close();
}
