/** Checks disk, ports, nodes and database, and suggests remedies. */
import { access, constants, mkdir, statfs } from 'node:fs/promises';
import { toQuantity, zeroHash } from '#chain/codec/hex.ts';
import { NodeError, TransportError, UnsupportedMethodError } from '#chain/errors.ts';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import { type Config, ConfigError } from '#runtime/config.ts';
import { describeTakenPort, getPorts, type Port } from '#runtime/config-ports.ts';
import { silentLog } from '#runtime/log.ts';
import { Database } from '#sql/client.ts';
import { StoreError } from '#sql/store-error.ts';
import { createCommandError, type Explanation, explainStoreError } from './explain-error.ts';
import { findPortError, getTakenPorts } from './ports.ts';

/** Result of a check. `remedy` is unset if the state is "ok". */
interface Finding extends Omit<Explanation, 'remedy'> {
  readonly state: 'ok' | 'warning' | 'error';
  readonly remedy?: string;
}

export interface Check extends Finding {
  /** A proxied node only gets forwarded requests. */
  readonly part: 'disk' | 'port' | 'node' | 'proxied node' | 'database';
  readonly name: string;
}

const replyMs = 5_000;
/** Minimum free disk space, bytes. ClickHouse needs it to merge its files. */
const leastFreeBytes = 5 * 2 ** 30;
const leastStartBytes = 256 * 2 ** 20;
/** Maximum lead of the newest block's time over this machine's clock, seconds. */
const clockToleranceSeconds = 30;

export async function runChecks(config: Config, ports: readonly Port[] = getPorts(config)): Promise<Check[]> {
  const { RPC_URL: nodes = [], CLICKHOUSE_URL: database } = config;
  const proxied = listProxied(config).filter(({ url }) => !nodes.includes(url));
  const about = async (part: Check['part'], place: string, finding: Promise<Finding>): Promise<Check> => ({
    part,
    name: `${part}${place}`,
    ...(await finding),
  });
  return Promise.all([
    about('disk', '', checkDisk(config)),
    ...ports.map((port) => about('port', ` ${port.port}`, checkPort(port))),
    ...nodes.map((url) => about('node', ` ${new URL(url).host}`, checkNode(config, url))),
    ...proxied.map((node) => about('proxied node', ` ${new URL(node.url).host}`, checkProxied(config, node))),
    ...(database ? [about('database', ` ${new URL(database).host}`, checkDatabase(config))] : []),
  ]);
}

/**
 * Throws if `cordscan start` would fail. One usable node is enough.
 * @throws CommandError with cause and remedy; ConfigError that lists ports in use
 */
export async function assertCanStart(config: Config): Promise<void> {
  const taken = await getTakenPorts(config);
  if (taken.length > 0) throw new ConfigError(taken.map(describeTakenPort));
  // an unavailable node may return, but a node of another chain is a configuration error
  const errors = (await runChecks(config, [])).filter(
    ({ state, part, isConfiguration }) => state === 'error' && (part !== 'proxied node' || isConfiguration),
  );
  const nodes = errors.filter(({ part }) => part === 'node');
  const isServed = nodes.length < (config.RPC_URL?.length ?? 0);
  const fatal = errors.find(({ part }) => part !== 'node' || !isServed);
  if (fatal) throw createCommandError(fatal.name, { remedy: '', ...fatal });
}

async function checkDisk({ DATA_DIR, CLICKHOUSE_URL }: Config): Promise<Finding> {
  try {
    await mkdir(DATA_DIR, { recursive: true });
    await access(DATA_DIR, constants.W_OK);
    const { bavail, bsize } = await statfs(DATA_DIR);
    const free = bavail * bsize;
    const text = `has ${(free / 2 ** 30).toFixed(1)} GiB free in ${DATA_DIR}`;
    if (CLICKHOUSE_URL || free >= leastFreeBytes) return { state: 'ok', text };
    const remedy = 'free at least 5 GiB, or set DATA_DIR to a larger disk';
    if (free >= leastStartBytes) return { state: 'warning', text, remedy };
    return { state: 'error', text: `is full: ${Math.floor(free / 2 ** 20)} MiB free in ${DATA_DIR}`, remedy };
  } catch (error) {
    const remedy = 'make the directory writable for this user, or set DATA_DIR';
    return { state: 'error', text: `is not writable in ${DATA_DIR} (${(error as Error).message})`, remedy };
  }
}

async function checkPort({ name, host, port }: Port): Promise<Finding> {
  const error = await findPortError(port, host);
  if (!error) return { state: 'ok', text: `free for ${name}` };
  if (error.code !== 'EADDRINUSE') {
    const text = `cannot be used on ${host} for ${name} (${error.code})`;
    const remedy =
      error.code === 'EACCES' ? `set ${name} to a port above 1023` : 'set HOST to an address of this machine';
    return { state: 'error', text, remedy };
  }
  const remedy = `stop the other process, or set ${name}. Ignore this if Cordscan is running`;
  return { state: 'warning', text: `another process listens on ${host}:${port} (${name})`, remedy };
}

interface ProxiedNode {
  readonly url: string;
  /** Variable that contains the URL. */
  readonly variable: string;
}

function listProxied({ WRITER_URL: writer, READ_POOL_URLS: readers = [] }: Config): ProxiedNode[] {
  const pool = [...new Set(readers)]
    .filter((url) => url !== writer)
    .map((url) => ({ url, variable: 'READ_POOL_URLS' }));
  return writer === undefined ? pool : [{ url: writer, variable: 'WRITER_URL' }, ...pool];
}

/** The node must serve the chain, but need not have all methods. */
async function checkProxied({ CHAIN_ID }: Config, { url, variable }: ProxiedNode): Promise<Finding> {
  const client = new RpcClient({ urls: [url], timeoutMs: replyMs, maxInFlight: 1 });
  try {
    const chainId = Number(await client.call<string>('eth_chainId', [], { retries: 0 }));
    if (chainId === CHAIN_ID) return { state: 'ok', text: 'answers' };
    return foreignNode(chainId, CHAIN_ID, `set ${variable} to nodes of chain ${CHAIN_ID}`);
  } catch (error) {
    const remedy = `check ${variable}, and that the node runs and is reachable from here`;
    return { state: 'error', text: `does not answer (${(error as Error).message})`, remedy };
  } finally {
    await client.close();
  }
}

const foreignNode = (chainId: number, wanted: number, remedy: string): Finding => ({
  state: 'error',
  text: `serves chain ${chainId}, CHAIN_ID is ${wanted}`,
  remedy,
  isConfiguration: true,
});

async function checkNode(config: Config, url: string): Promise<Finding> {
  const client = new RpcClient({ urls: [url], timeoutMs: replyMs, maxInFlight: 2 });
  const ask: Ask = (method, params) => client.call(method, params, { retries: 0 });
  try {
    const chainId = Number(await ask<string>('eth_chainId', []));
    if (chainId !== config.CHAIN_ID)
      return foreignNode(
        chainId,
        config.CHAIN_ID,
        `set CHAIN_ID=${chainId}, or use a node of chain ${config.CHAIN_ID}`,
      );
    const head = await ask<{ number: string; timestamp: string }>('eth_getBlockByNumber', ['latest', false]);
    const secondsAhead = Number(head.timestamp) - Date.now() / 1_000;
    if (secondsAhead > clockToleranceSeconds) {
      const text = `block ${Number(head.number)} is ${Math.round(secondsAhead)} s in the future`;
      return { state: 'warning', text, remedy: 'check the clock of this machine and of the node (NTP)' };
    }
    return await checkReceipts(ask, Number(head.number));
  } catch (error) {
    const text = (error as Error).message;
    if (!(error instanceof TransportError && error.reason === 'bad_body')) {
      const remedy = 'check that the URL is right, that the node runs, and that it is reachable from here';
      return { state: 'error', text: `does not answer (${text})`, remedy };
    }
    const remedy = 'set RPC_URL to the JSON-RPC endpoint of a node, over HTTP';
    return { state: 'error', text: `does not speak JSON-RPC (${text.slice(0, 80)})`, remedy, isConfiguration: true };
  } finally {
    await client.close();
  }
}

type Ask = <T>(method: string, params: unknown[]) => Promise<T>;

async function checkReceipts(ask: Ask, head: number): Promise<Finding> {
  const text = `answers, at block ${head}`;
  const missing = await findMissing(ask, 'eth_getBlockReceipts', [toQuantity(head)]);
  if (!missing) return { state: 'ok', text };
  if (await findMissing(ask, 'eth_getTransactionReceipt', [zeroHash])) {
    const remedy = 'use a node that has eth_getBlockReceipts or eth_getTransactionReceipt';
    return { state: 'error', text: 'serves no receipts', remedy, isConfiguration: true };
  }
  const remedy = 'receipts are read one by one, which is slower: use a newer node if you can';
  return { state: 'warning', text: `${text}, without eth_getBlockReceipts (${missing})`, remedy };
}

async function findMissing(ask: Ask, method: string, params: unknown[]): Promise<string | undefined> {
  try {
    await ask(method, params);
    return undefined;
  } catch (error) {
    if (error instanceof UnsupportedMethodError) return error.message;
    if (error instanceof NodeError) return undefined;
    throw error;
  }
}

async function checkDatabase(config: Config): Promise<Finding> {
  // no cluster: one answering server is enough
  const database = new Database({
    url: config.clickhouseUrl,
    passwordFile: config.clickhousePasswordFile,
    database: 'default',
    log: silentLog,
    waitMs: replyMs,
    requestTimeoutMs: replyMs,
  });
  try {
    await database.command('SELECT 1');
    return { state: 'ok', text: 'answers, and accepts the password' };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { state: 'error', ...explainStoreError(error, config) };
  } finally {
    await database.close();
  }
}
