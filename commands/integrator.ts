/** Programs for an exchange. They use only public APIs of the service. */
import { readFileSync } from 'node:fs';
import { Wallet } from 'ethers';
import { Address } from '#api/terms/primitives.ts';
import { WrongChainError } from '#chain/errors.ts';
import { type ClientOptions, Cordscan } from '#client/index.ts';
import { acknowledgeCredit } from '#integrator/crediting-freeze.ts';
import { DepositMonitor } from '#integrator/deposit-monitor.ts';
import { checkIdentity } from '#integrator/identity-check.ts';
import { NodeClient } from '#integrator/node-client.ts';
import { Payouts } from '#integrator/payouts.ts';
import { Store } from '#integrator/store.ts';
import { WithdrawalSender } from '#integrator/withdrawal-sender.ts';
import type { Config } from '#runtime/config.ts';
import { createLog, type Log } from '#runtime/log.ts';
import { toOrigin } from '#runtime/origins.ts';
import { pause, shutdownSignal } from '#runtime/shutdown.ts';
import { type ConfirmationOptions, readConfirmations } from './confirmations.ts';
import { payRequests } from './pay-requests.ts';

const idleMs = 500;
const apiCheckMs = 10_000;
/** Short, so that a hung API hardly delays payments. */
const apiTimeoutMs = 3_000;

export interface CheckOptions {
  readonly reference?: string;
  readonly readPool?: boolean;
  /** Hash of a transaction. */
  readonly tx?: string;
}

/** Checks a node and prints the result. Exit code 1 if a check failed. */
export async function runCheck(config: Config, url: string, options: CheckOptions): Promise<void> {
  const certificate = await checkIdentity({
    url,
    chainId: config.CHAIN_ID,
    genesisHash: config.GENESIS_HASH,
    referenceUrl: options.reference,
    isReadPool: options.readPool ?? false,
    transaction: options.tx?.toLowerCase(),
  });
  console.log(JSON.stringify(certificate, null, 2));
  process.exit(certificate.passed ? 0 : 1);
}

export interface BookOptions {
  /** Origin. */
  readonly api?: string;
  readonly edge?: string;
  /** API key. */
  readonly key?: string;
  readonly store: string;
}

/** @param more further options of the API client */
function urls(config: Config, { api, edge, key }: BookOptions, more: ClientOptions = {}) {
  const writerUrl = edge ?? toOrigin(config.HOST, config.EDGE_PORT);
  return {
    api: new Cordscan(api ?? toOrigin(config.HOST, config.PORT), {
      ...more,
      ...(key !== undefined && { apiKey: key }),
    }),
    writer: new NodeClient(writerUrl),
    pool: new NodeClient(`${writerUrl.replace(/\/$/, '')}/v1/read`),
  };
}

/** Prevents payments on a wrong chain. @throws Error if chain id or genesis differs from the configuration */
async function assertChain(config: Config, writer: NodeClient): Promise<void> {
  assertChainId(config, Number(await writer.readQuantity('eth_chainId')), 'edge');
  if (!config.GENESIS_HASH) return;
  const hash = await readGenesis(writer);
  if (hash !== config.GENESIS_HASH)
    throw new WrongChainError(
      `the edge serves genesis ${hash}, expected GENESIS_HASH ${config.GENESIS_HASH}: correct --edge or GENESIS_HASH`,
    );
}

/**
 * Prevents credits of another chain: the API, not the edge, returns the deposits. @throws WrongChainError, or errors of
 * the API
 */
async function assertChainOfApi(config: Config, api: Cordscan, writer: NodeClient): Promise<void> {
  const { chainId, genesisHash } = await api.get('/api/v1/network/config');
  assertChainId(config, Number(chainId), 'api');
  const expected = await findGenesis(config, writer);
  if (genesisHash.toLowerCase() !== expected)
    throw new WrongChainError(
      `the API serves genesis ${genesisHash}, expected ${expected}: correct --api, or --edge and GENESIS_HASH`,
    );
}

async function readGenesis(writer: NodeClient): Promise<string> {
  const { hash } = await writer.read<{ hash: string }>('eth_getBlockByNumber', ['0x0', false]);
  return hash.toLowerCase();
}

/** Returns the configured hash of block 0, otherwise that of the writer. */
const findGenesis = async ({ GENESIS_HASH }: Config, writer: NodeClient): Promise<string> =>
  GENESIS_HASH ?? readGenesis(writer);

/** @param service option with the URL of the service */
function assertChainId({ CHAIN_ID }: Config, chainId: number, service: 'edge' | 'api'): void {
  if (chainId !== CHAIN_ID)
    throw new WrongChainError(
      `the ${service} serves chain ${chainId}, expected CHAIN_ID ${CHAIN_ID}: correct --${service} or CHAIN_ID`,
    );
}

async function loop(log: Log, step: () => Promise<boolean>): Promise<void> {
  const signal = shutdownSignal();
  let pauseMs = idleMs;
  while (!signal.aborted) {
    const isBusy = await step().catch((error: unknown) => {
      log.warn({ event: 'step_error', error: String(error) }, 'a step failed and will be retried');
      return undefined;
    });
    pauseMs = isBusy === undefined ? Math.min(pauseMs * 2, 10_000) : idleMs;
    await pause(isBusy ? idleMs / 10 : pauseMs, signal);
  }
}

/** @throws Error if a line is not an address, or its checksum is wrong */
function parseAddress(line: string, file: string): string {
  const { data, error } = Address.safeParse(line);
  if (data === undefined) throw new Error(`${file}: ${line} ${error?.issues[0]?.message}`);
  return data;
}

/** Credits deposits to the addresses in a file, one per line. */
export async function runMonitor(
  config: Config,
  options: BookOptions & ConfirmationOptions & { addresses: string; minValue: string },
): Promise<void> {
  const confirmations = readConfirmations(options);
  const { api, writer } = urls(config, options);
  const assertSame = () => assertChainOfApi(config, api, writer);
  await Promise.all([assertChain(config, writer), assertSame()]);
  const addresses = readFileSync(options.addresses, 'utf8')
    .split(/\s+/)
    .filter(Boolean)
    .map((line) => parseAddress(line, options.addresses));
  if (addresses.length === 0) throw new Error(`${options.addresses} has no addresses: write one per line`);
  const store = await Store.open(options.store);
  const log = createLog('deposits', config.LOG_LEVEL);
  const monitor = new DepositMonitor({
    api,
    store,
    chainId: config.CHAIN_ID,
    addresses,
    minValue: BigInt(options.minValue),
    confirmations,
    log,
    assertChain: assertSame,
  });
  const fromBlock = await monitor.nextBlock();
  log.info(
    {
      event: 'deposits_watched',
      addresses: addresses.length,
      fromBlock,
      ...(await summarize(monitor)),
      api: api.origin,
    },
    `watches deposits to ${addresses.length} addresses of ${options.addresses} since block ${fromBlock}`,
  );
  await loop(log, () => monitor.step());
  log.info({ event: 'deposits_stopped', ...(await summarize(monitor)) });
  await store.close();
}

const summarize = async (monitor: DepositMonitor) => ({
  credits: (await monitor.credits()).length,
  frozenBy: await monitor.listFreezing(),
});

/** Ends the freeze of one credit, and prints which credits still freeze. */
export async function runAcknowledge(config: Config, tx: string, options: Pick<BookOptions, 'store'>): Promise<void> {
  const store = await Store.open(options.store, { mayCreate: false });
  const hash = tx.toLowerCase();
  const frozenBy = await acknowledgeCredit(store, config.CHAIN_ID, hash);
  console.log(JSON.stringify({ acknowledged: hash, frozenBy }));
  await store.close();
}

/** @throws Error that does not contain the key, because errors are logged */
function readWallet(text: string | undefined): Wallet {
  const key = text?.trim();
  if (!key) throw new Error('WALLET_KEY is not set: set it to the private key of the hot wallet');
  const wrong = new Error('WALLET_KEY is not a private key: it must have 64 hex digits');
  if (!/^(0x)?[0-9a-f]{64}$/i.test(key)) throw wrong;
  try {
    return new Wallet(key);
  } catch {
    throw wrong;
  }
}

const lostStore = ({ store, requests }: { store: string; requests: string }, count: number) =>
  `the wallet has sent ${count} transactions that ${store} does not know: with the store of another wallet, or an old copy, lines of ${requests} would be paid again. Correct --store, or add --new-store if none of these transactions paid a line`;

/** Pays the withdrawals in a file, one per line: id, recipient, wei. Other programs may append lines to it. */
export async function runSender(
  config: Config,
  options: BookOptions & {
    requests: string;
    gasFloat: string;
    maxGasPrice: string;
    maxPending: number;
    newStore?: boolean;
  },
): Promise<void> {
  // the next step repeats a failed request, because waiting for the API would delay payments
  const { api, writer, pool } = urls(config, options, { retries: 0, timeoutMs: apiTimeoutMs });
  await assertChain(config, writer);
  const wallet = readWallet(process.env.WALLET_KEY);
  const store = await Store.open(options.store);
  await new Payouts(store).bindTo({ chainId: config.CHAIN_ID, genesisHash: await findGenesis(config, writer) });
  const log = createLog('withdrawals', config.LOG_LEVEL);
  const sender = new WithdrawalSender({
    api,
    writer,
    pool,
    store,
    wallet,
    chainId: config.CHAIN_ID,
    gasFloat: BigInt(options.gasFloat),
    maxGasPrice: BigInt(options.maxGasPrice),
    maxPending: options.maxPending,
    log,
  });
  const payouts = await sender.payouts();
  if (options.newStore) await sender.nonces.acceptUnknown();
  const unknown = await sender.nonces.countUnknown();
  if (unknown > 0) throw new Error(lostStore(options, unknown));
  const pending = payouts.filter(({ state }) => state === 'requested' || state === 'signed').length;
  const block = Number(await writer.readQuantity('eth_blockNumber'));
  log.info(
    {
      event: 'withdrawals_watched',
      wallet: sender.options.wallet.address,
      pending,
      ended: payouts.length - pending,
      block,
    },
    `reads ${options.requests} from its first line; ${pending} withdrawals are pending at block ${block}`,
  );
  const checkApi = untilChecked(log, () => assertChainOfApi(config, api, writer));
  await checkApi();
  const pay = payRequests(sender, options.requests, log);
  await loop(log, async () => {
    await checkApi();
    return pay();
  });
  await store.close();
}

/**
 * Returns a function that runs the check every ten seconds until it succeeds. Payments continue meanwhile, because they
 * need no API.
 * @throws WrongChainError of the check
 */
function untilChecked(log: Log, check: () => Promise<void>): () => Promise<void> {
  let nextAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() < nextAt) return;
    try {
      await check();
      nextAt = Number.POSITIVE_INFINITY;
    } catch (error) {
      if (error instanceof WrongChainError) throw error; // repeated in all later steps, so nothing is paid
      nextAt = performance.now() + apiCheckMs;
      const text = 'the API did not name its chain; payments are sent, but not followed until the API answers';
      log.warn({ event: 'api_unchecked', error: String(error) }, text);
    }
  };
}

export async function runBooks(options: Pick<BookOptions, 'store'>): Promise<void> {
  const store = await Store.open(options.store, { mayCreate: false });
  for (const [key, value] of await store.list('')) console.log(JSON.stringify({ key, value }));
  await store.close();
}
