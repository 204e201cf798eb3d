/** `cordscan doctor`: checks what a start needs, and says what to do where something is wrong. */
import { access, constants, mkdir, statfs } from 'node:fs/promises';
import { toQuantity } from '#chain/codec/hex.ts';
import { NodeError } from '#chain/errors.ts';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import type { Config } from '#runtime/config.ts';
import { getPorts, type Port } from '#runtime/config-ports.ts';
import { silentLog } from '#runtime/log.ts';
import { openDatabase } from '#sql/open-database.ts';
import { isPortTaken } from './ports.ts';

/** What a check found. `remedy` is set where the finding is not "ok". */
interface Finding {
  readonly state: 'ok' | 'warning' | 'error';
  readonly text: string;
  readonly remedy?: string;
}

/** Time for one reply of a node or of the database, ms. */
const replyMs = 5_000;
/** Free space below which the disk is reported, bytes: merges need room beside the data. */
const leastFreeBytes = 5 * 2 ** 30;
/** Difference between this clock and the newest block above which the clock is suspected, seconds. */
const clockToleranceSeconds = 30;

/** Prints one line per check. Sets exit code 1 when a start would fail. */
export async function runDoctor(config: Config): Promise<void> {
  const { RPC_URL: nodes = [], CLICKHOUSE_URL: database } = config;
  const checks: [name: string, check: Promise<Finding>][] = [
    ['disk', checkDisk(config)],
    ...getPorts(config).map((port): [string, Promise<Finding>] => [`port ${port.port}`, checkPort(port)]),
    ...nodes.map((url): [string, Promise<Finding>] => [`node ${new URL(url).host}`, checkNode(config, url)]),
  ];
  if (database) checks.push([`database ${new URL(database).host}`, checkDatabase(config)]);
  for (const [name, check] of checks) {
    const { state, text, remedy } = await check;
    console.log(`${state.padEnd(8)} ${name}: ${text}${remedy ? `\n         ${remedy}` : ''}`);
    if (state === 'error') process.exitCode = 1;
  }
}

async function checkDisk({ DATA_DIR, CLICKHOUSE_URL }: Config): Promise<Finding> {
  try {
    await mkdir(DATA_DIR, { recursive: true });
    await access(DATA_DIR, constants.W_OK);
    const { bavail, bsize } = await statfs(DATA_DIR);
    const text = `${((bavail * bsize) / 2 ** 30).toFixed(1)} GiB free in ${DATA_DIR}`;
    if (CLICKHOUSE_URL || bavail * bsize >= leastFreeBytes) return { state: 'ok', text };
    return { state: 'warning', text, remedy: 'Free at least 5 GiB, or set DATA_DIR to a larger disk.' };
  } catch (error) {
    const remedy = 'Make the directory writable for this user, or set DATA_DIR.';
    return { state: 'error', text: `${DATA_DIR} is not writable: ${(error as Error).message}`, remedy };
  }
}

async function checkPort({ name, host, port }: Port): Promise<Finding> {
  if (!(await isPortTaken(port, host))) return { state: 'ok', text: `free for ${name}` };
  const remedy = `Stop the other process, or set ${name}. Ignore this if Cordscan is running.`;
  return { state: 'warning', text: `another process listens on ${host}:${port} (${name})`, remedy };
}

async function checkNode(config: Config, url: string): Promise<Finding> {
  const client = new RpcClient({ urls: [url], timeoutMs: replyMs, maxInFlight: 2 });
  const ask = <T>(method: string, params: unknown[]) => client.call<T>(method, params, { retries: 0 });
  try {
    const chainId = Number(await ask<string>('eth_chainId', []));
    if (chainId !== config.CHAIN_ID) {
      const text = `serves chain ${chainId}, CHAIN_ID is ${config.CHAIN_ID}`;
      return { state: 'error', text, remedy: `Set CHAIN_ID=${chainId}, or use a node of chain ${config.CHAIN_ID}.` };
    }
    const head = await ask<{ number: string; timestamp: string }>('eth_getBlockByNumber', ['latest', false]);
    const secondsAhead = Number(head.timestamp) - Date.now() / 1_000;
    if (secondsAhead > clockToleranceSeconds) {
      const text = `block ${Number(head.number)} is ${Math.round(secondsAhead)} s in the future`;
      return { state: 'warning', text, remedy: 'Check the clock of this machine and of the node (NTP).' };
    }
    return await checkReceipts(ask, Number(head.number));
  } catch (error) {
    const remedy = 'Check that the URL is right, reachable from here, and speaks JSON-RPC over HTTP.';
    return { state: 'error', text: (error as Error).message, remedy };
  } finally {
    await client.close();
  }
}

/** Receipts come from eth_getBlockReceipts, or one by one. */
async function checkReceipts(
  ask: <T>(method: string, params: unknown[]) => Promise<T>,
  head: number,
): Promise<Finding> {
  try {
    await ask('eth_getBlockReceipts', [toQuantity(head)]);
    return { state: 'ok', text: `answers, at block ${head}` };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    const text = `at block ${head}, without eth_getBlockReceipts (${error.message})`;
    return {
      state: 'warning',
      text,
      remedy: 'Receipts are read one by one, which is slower. Use a newer node if you can.',
    };
  }
}

async function checkDatabase(config: Config): Promise<Finding> {
  const database = await openDatabase(
    { ...config, CLICKHOUSE_DATABASE: 'default' },
    { log: silentLog, waitMs: replyMs, migrates: false },
  );
  try {
    await database.command('SELECT 1');
    return { state: 'ok', text: 'answers, and accepts the password' };
  } catch (error) {
    const remedy = 'Check host, port, user and password of CLICKHOUSE_URL, and that the server runs.';
    return { state: 'error', text: (error as Error).message, remedy };
  } finally {
    await database.close();
  }
}
