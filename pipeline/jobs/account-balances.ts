/**
 * Keeps native balances of all known accounts: what a final block touched is read at the newest final block. Value moved
 * inside contracts touches accounts that no transaction names; the richest accounts and the ones read longest ago are
 * read again with every step, so that such a change is seen too, later.
 */
import { createHash } from 'node:crypto';
import PQueue from 'p-queue';
import { toQuantity } from '#chain/codec/hex.ts';
import { chunksOf } from '#runtime/lists.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { getStatement } from '#sql/statements.ts';
import type { PipelineDeps } from '../deps.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { settledThrough } from '../store/rollups.ts';
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
  const settled = settledThrough(state);
  if (settled === undefined) return false;
  await seedGenesis(deps, settled);
  const from = Math.max((await readMark(deps, job)) + 1, state.startBlock);
  const to = Math.min(settled, from + blocksAtOnce - 1);
  if (from > to) return false;
  const read = (name: string, parameters: Record<string, number>) =>
    deps.database.read<{ address: string }>(getStatement(deps.statements, name), parameters);
  const [touched, swept] = await Promise.all([
    read('touched_accounts', { from_block: from, to_block: to, limit: accountsAtOnce }),
    read('stale_balances', sweep),
  ]);
  const addresses = [...new Set([...touched, ...swept].map((row) => row.address))];
  await storeBalances(deps, addresses, settled);
  await writeMark(deps, job, to);
  return to < settled;
}

/** Accounts of the genesis document are read once; blocks tell of every later change. */
async function seedGenesis(deps: PipelineDeps, block: number): Promise<void> {
  const { genesisAccounts = [] } = deps.settings;
  if (genesisAccounts.length === 0) return;
  const digest = createHash('sha256').update(genesisAccounts.join()).digest('hex');
  const seed = `${job} of genesis ${digest.slice(0, 16)}`;
  if ((await readMark(deps, seed)) >= 0) return;
  await storeBalances(deps, genesisAccounts, block);
  await writeMark(deps, seed, block);
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
