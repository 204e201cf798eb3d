/**
 * Refreshes balances of accounts that occur in finalized blocks. Untraced internal calls may change others, so each
 * step also reads the richest accounts and those with the oldest balances.
 */

import { createHash } from 'node:crypto';
import { toQuantity } from '#chain/codec/hex.ts';
import { NodeError } from '#chain/errors.ts';
import type { WireBlock } from '#chain/rpc/wire-types.ts';
import { splitIntoChunks } from '#runtime/lists.ts';
import { balancesJob, readMark, withdrawalsJob } from '#sql/job-marks.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { RowOf } from '#sql/statement-types.ts';
import type { NodeDeps, StoreDeps } from '../deps.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { finalizedThrough } from '../store/rollups.ts';
import { writeMark } from './job-marks.ts';
import type { JobSettings } from './job-settings.ts';
import { forBatches, type NewestBlock, processBlocks, trackNewest } from './process-blocks.ts';
import { readAtBlock } from './read-at-block.ts';

type BalanceDeps = StoreDeps & NodeDeps;
type NamedDeps = BalanceDeps & { readonly settings: Pick<JobSettings, 'namedAccounts'> };

const blocksAtOnce = 20_000;
const accountsAtOnce = 2_000_000;
/** One more call, for the block, makes 100 per batch: some nodes reject more by default. */
const batchSize = 99;
/** Few enough that a late failure loses little; enough that inserts stay rare. */
const accountsPerInsert = 100 * batchSize;
const sweep = { rich: 200, old: 100 };

export async function refreshBalances(deps: NamedDeps, store: ChainStateStore): Promise<boolean> {
  const finalized = finalizedThrough(store.state);
  if (finalized === undefined) return false;
  await seedNamed(deps, trackNewest(store, finalized));
  return processBlocks(deps, store, {
    name: balancesJob,
    blocksAtOnce,
    process: async (from, to, newest) => {
      for await (const touched of readTouched(deps, from, to)) await storeBalances(deps, touched, newest);
      const swept = await deps.database.read('stale_balances', sweep);
      await storeBalances(deps, [...new Set(swept.map(({ address }) => address))], newest);
    },
  });
}

/**
 * Refreshes balances of withdrawal recipients. A separate job, because nodes may have pruned the blocks.
 * @throws Error when no node returns the withdrawals of a block
 */
export const refreshWithdrawals = (deps: BalanceDeps, store: ChainStateStore): Promise<boolean> =>
  processBlocks(deps, store, {
    name: withdrawalsJob,
    blocksAtOnce,
    process: async (from, to, newest) => storeBalances(deps, [...(await withdrawalRecipients(deps, from, to))], newest),
  });

/** Reads balances of accounts in a range of blocks and its withdrawals, at the newest readable block. */
export async function storeBalancesInRange(
  deps: BalanceDeps,
  from: number,
  to: number,
  newest: NewestBlock,
): Promise<void> {
  for await (const touched of readTouched(deps, from, to)) await storeBalances(deps, touched, newest);
  await storeBalances(deps, [...(await withdrawalRecipients(deps, from, to))], newest);
}

/** Yields the accounts of a range. Splits a range with `accountsAtOnce` or more accounts. */
async function* readTouched(deps: StoreDeps, from: number, to: number): AsyncGenerator<string[]> {
  const window = { from_block: from, to_block: to, limit: accountsAtOnce };
  const rows = await deps.database.read('touched_accounts', window);
  if (rows.length < accountsAtOnce) return yield rows.map(({ address }) => address);
  if (from === to) throw new Error(`block ${from} touches ${rows.length} accounts or more`);
  const middle = Math.floor((from + to) / 2);
  yield* readTouched(deps, from, middle);
  yield* readTouched(deps, middle + 1, to);
}

/** Reads balances of configured and registered accounts once: blocks show later changes. */
async function seedNamed(deps: NamedDeps, newest: NewestBlock): Promise<void> {
  const { database, settings } = deps;
  const listed = await database.read('manifest_accounts');
  const named = new Set([...(settings.namedAccounts ?? []), ...listed.map(({ address }) => address)]);
  if (named.size === 0) return;
  const accounts = [...named].sort();
  const digest = createHash('sha256').update(accounts.join()).digest('hex');
  const seed = `${balancesJob} of named ${digest.slice(0, 16)}`;
  if ((await readMark(deps, seed)) >= 0) return;
  const block = newest();
  await storeBalances(deps, accounts, newest);
  await writeMark(deps, seed, block);
}

/** Returns recipients of consensus-layer withdrawals, which no transaction contains. @source EIP-4895 */
async function withdrawalRecipients(deps: BalanceDeps, from: number, to: number): Promise<Set<string>> {
  const bounds = { from_block: from, to_block: to };
  const blocks = await deps.database.read('blocks_with_withdrawals', bounds);
  const recipients = new Set<string>();
  for (const some of splitIntoChunks(blocks, batchSize)) {
    const found = await readWithdrawals(deps, some, to);
    for (const [i, { number, block_hash }] of some.entries()) {
      const withdrawals = found[i];
      if (!withdrawals) throw new Error(`no node returned the withdrawals of block ${number} with hash ${block_hash}`);
      for (const { address } of withdrawals) recipients.add(address.toLowerCase());
    }
  }
  return recipients;
}

type Withdrawals = WireBlock['withdrawals'];

/** Reads withdrawals of blocks. Queries other nodes for blocks that the first lacks. */
async function readWithdrawals(
  { client, signal }: NodeDeps,
  blocks: readonly RowOf<'blocks_with_withdrawals'>[],
  minHead: number,
): Promise<Withdrawals[]> {
  const calls = blocks.map(({ number }) => ({
    method: 'eth_getBlockByNumber',
    params: [toQuantity(Number(number)), false],
  }));
  const read = (results: readonly unknown[]) =>
    blocks.map(({ block_hash }, i): Withdrawals => {
      const block = results[i] as Pick<WireBlock, 'hash' | 'withdrawals'> | null | undefined;
      return block?.hash.toLowerCase() === block_hash ? block.withdrawals : undefined;
    });
  const first = await client.batch(calls, { minHead, signal }).catch((error: unknown) => {
    if (!(error instanceof NodeError)) throw error;
    return undefined; // some nodes return an error for pruned blocks
  });
  let found = read(first?.results ?? []);
  for (const endpoint of client.onBranch) {
    if (found.every((one) => one)) break;
    if (endpoint === first?.endpoint) continue;
    const other = await client.batch(calls, { endpoint, retries: 0, signal }).catch(() => undefined);
    const more = read(other?.results ?? []);
    found = found.map((one, i) => one ?? more[i]);
  }
  return found;
}

/**
 * Reads and stores balances.
 * @throws TransportError, NodeError; some of the balances may be stored by then
 */
export async function storeBalances(
  deps: BalanceDeps,
  addresses: readonly string[],
  newest: NewestBlock,
): Promise<void> {
  for (const some of splitIntoChunks(addresses, accountsPerInsert)) await storeSome(deps, some, newest);
}

async function storeSome(deps: BalanceDeps, addresses: readonly string[], newest: NewestBlock): Promise<void> {
  const rows = new RowWriter(1 << 16);
  await forBatches(addresses, batchSize, async (batch) => {
    const block = newest();
    const results = await readAtBlock(deps, 'eth_getBalance', batch, block);
    for (const [i, address] of batch.entries()) {
      const balance = results[i];
      if (typeof balance !== 'string')
        throw new Error(`eth_getBalance for ${address} returned ${typeof balance}, expected a hex string`);
      rows.fixed(address, 20);
      rows.uint256(BigInt(balance));
      rows.uint64(block);
      rows.endRow();
    }
  });
  if (rows.rows > 0) await deps.database.insertRowBinary('account_balances', rows.view());
}
