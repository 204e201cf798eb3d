/**
 * Keeps native balances of all known accounts: what a final block touched is read at the newest final block. Value moved
 * inside contracts touches accounts that no transaction names; the richest accounts and the ones read longest ago are
 * read again with every step, so that such a change is seen too, later.
 */

import { createHash } from 'node:crypto';
import PQueue from 'p-queue';
import { toQuantity } from '#chain/codec/hex.ts';
import type { WireBlock } from '#chain/rpc/wire-types.ts';
import { chunksOf } from '#runtime/lists.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { ChainState } from '#sql/snapshot.ts';
import type { PipelineDeps } from '../deps.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { finalizedThrough } from '../store/rollups.ts';
import { readMark, writeMark } from './job-marks.ts';

const job = 'account_balances';
/** Blocks of one look for touched accounts: bounds memory while the job seeds itself. */
const blocksAtOnce = 20_000;
const accountsAtOnce = 2_000_000;
/** Calls in one JSON-RPC batch. */
const batchSize = 100;
const sweep = { rich: 200, old: 100 };

/** One step. @returns true when more is waiting */
export async function refreshBalances(deps: PipelineDeps, { state }: ChainStateStore): Promise<boolean> {
  const finalized = finalizedThrough(state);
  if (finalized === undefined) return false;
  await seedNamed(deps, finalized);
  return refreshBlocks(deps, state, job, async (from, to) => {
    const [touched, swept] = await Promise.all([
      deps.database.read('touched_accounts', { from_block: from, to_block: to, limit: accountsAtOnce }),
      deps.database.read('stale_balances', sweep),
    ]);
    return new Set([...touched, ...swept].map((row) => row.address));
  });
}

/**
 * One step of the balances of those who got coins by withdrawals: a job of its own, since a node may have pruned old bodies.
 * @returns true when more is waiting @throws Error where the node does not say the withdrawals of a block
 */
export const refreshWithdrawals = (deps: PipelineDeps, { state }: ChainStateStore): Promise<boolean> =>
  refreshBlocks(deps, state, `${job} of withdrawals`, (from, to) => withdrawalRecipients(deps, from, to));

/**
 * Reads balances of the accounts that the next final blocks behind a mark concern, and moves the mark.
 * @param accountsOf accounts of blocks, both ends inclusive
 * @returns true when more is waiting
 */
async function refreshBlocks(
  deps: PipelineDeps,
  state: ChainState,
  mark: string,
  accountsOf: (from: number, to: number) => Promise<ReadonlySet<string>>,
): Promise<boolean> {
  const finalized = finalizedThrough(state);
  if (finalized === undefined) return false;
  const from = Math.max((await readMark(deps, mark)) + 1, state.startBlock);
  const to = Math.min(finalized, from + blocksAtOnce - 1);
  if (from > to) return false;
  await storeBalances(deps, [...(await accountsOf(from, to))], finalized);
  await writeMark(deps, mark, to);
  return to < finalized;
}

/** Accounts that the genesis, the configuration or the manifest names are read once; blocks tell of every later change. */
async function seedNamed(deps: PipelineDeps, block: number): Promise<void> {
  const { database, settings } = deps;
  const listed = await database.read('manifest_accounts');
  const named = new Set([...(settings.namedAccounts ?? []), ...listed.map(({ address }) => address)]);
  if (named.size === 0) return;
  const accounts = [...named].sort();
  const digest = createHash('sha256').update(accounts.join()).digest('hex');
  const seed = `${job} of named ${digest.slice(0, 16)}`;
  if ((await readMark(deps, seed)) >= 0) return;
  await storeBalances(deps, accounts, block);
  await writeMark(deps, seed, block);
}

/** Who got coins by withdrawals of the consensus layer in these blocks: no transaction says so. @source EIP-4895 */
async function withdrawalRecipients(deps: PipelineDeps, from: number, to: number): Promise<Set<string>> {
  const { database, client, signal } = deps;
  const bounds = { from_block: from, to_block: to };
  const blocks = await database.read('blocks_with_withdrawals', bounds);
  const recipients = new Set<string>();
  for (const some of chunksOf(blocks, batchSize)) {
    const calls = some.map(({ number }) => ({
      method: 'eth_getBlockByNumber',
      params: [toQuantity(Number(number)), false],
    }));
    const { results } = await client.batch(calls, { minHead: to, signal });
    for (const [i, { number }] of some.entries()) {
      const block = results[i] as Pick<WireBlock, 'withdrawals'> | null | undefined;
      if (!block?.withdrawals) throw new Error(`a node says no withdrawals of block ${number}`);
      for (const { address } of block.withdrawals) recipients.add(address.toLowerCase());
    }
  }
  return recipients;
}

/** Balances of accounts at a settled block. @throws TransportError, NodeError; nothing is then stored */
export async function storeBalances(deps: PipelineDeps, addresses: readonly string[], block: number): Promise<void> {
  const rows = new RowWriter(1 << 16);
  const queue = new PQueue({ concurrency: 4 });
  await queue.addAll(
    chunksOf(addresses, batchSize).map((batch) => async () => {
      const calls = batch.map((address) => ({ method: 'eth_getBalance', params: [address, toQuantity(block)] }));
      const { results } = await deps.client.batch(calls, { minHead: block, signal: deps.signal });
      for (const [i, address] of batch.entries()) {
        const balance = results[i];
        if (typeof balance !== 'string') throw new Error(`eth_getBalance of ${address} gave ${typeof balance}`);
        rows.fixed(address, 20);
        rows.uint256(BigInt(balance));
        rows.uint64(block);
        rows.endRow();
      }
    }),
  );
  if (rows.rows > 0) await deps.database.insertRowBinary('account_balances', rows.view());
}
