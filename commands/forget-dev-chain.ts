/**
 * Removes the data of the earlier dev chain that DATA_DIR records, because every start creates another dev chain, which
 * the database would reject. Client data, such as API keys, stays.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { forgetChain } from '#pipeline/store/forget-chain.ts';
import type { Config } from '#runtime/config.ts';
import { getFirst } from '#runtime/lists.ts';
import type { Log } from '#runtime/log.ts';
import { Database } from '#sql/client.ts';
import { StoreError } from '#sql/store-error.ts';

/**
 * Waits for the database, removes an earlier dev chain, and records the genesis of the running one.
 * @returns whether a chain was removed
 */
export async function forgetEarlierDevChain(config: Config, log: Log): Promise<boolean> {
  const path = join(config.DATA_DIR, 'dev-chains.json');
  const earlier = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as string[]) : [];
  const genesis = await readGenesis(getFirst(config.rpcUrls));
  const database = new Database({
    url: config.clickhouseUrl,
    passwordFile: config.clickhousePasswordFile,
    database: config.CLICKHOUSE_DATABASE,
    log,
    waitMs: 60_000,
  });
  const stored = await readStoredGenesis(database);
  const isEarlier = stored !== undefined && stored !== genesis && earlier.includes(stored);
  if (isEarlier) {
    await forgetChain(database);
    log.info(
      { event: 'earlier_dev_chain_forgotten', database: config.CLICKHOUSE_DATABASE, genesis: stored },
      'deleted the blocks of an earlier dev chain; data of clients (API keys, address sets, saved queries, watches) is kept',
    );
  }
  await database.close();
  mkdirSync(config.DATA_DIR, { recursive: true });
  // a kill must not leave a truncated list
  writeFileSync(`${path}.new`, JSON.stringify([...new Set([...earlier, genesis])]));
  renameSync(`${path}.new`, path);
  return isEarlier;
}

async function readGenesis(url: string): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['0x0', false] });
  const reply = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  return ((await reply.json()) as { result: { hash: string } }).result.hash;
}

async function readStoredGenesis(database: Database): Promise<string | undefined> {
  try {
    const [row] = await database.read('chain_identity');
    return row?.genesis_hash;
  } catch (error) {
    // the database or its table does not exist yet
    if (error instanceof StoreError && !error.retryable) return undefined;
    throw error;
  }
}
