/**
 * Compares sums and samples of stored data with recounts and a node, on a schedule. Unlike `audit.ts`, repairs nothing.
 */

import { maxUint256 } from '#chain/codec/hex.ts';
import { decodeUint, tokenQuestions } from '#chain/codec/token-abi.ts';
import { combineSumParts } from '#chain/codec/wide-sum.ts';
import { askContract } from '#chain/rpc/ask-contract.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { showsFault, tokenCheckPrefix } from '#sql/self-audits.ts';
import { type ChainState, isBackfilled, rollupParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import type { JobDeps, MetricsDeps, NodeDeps, StoreDeps } from '../deps.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';

const tokensAtOnce = 20;
const sampledBlocks = 25;
const sampledTransactions = 100;

type AuditedChain = Pick<ChainStateStore, 'state' | 'finalizedChanges'>;

interface Check {
  readonly name: string;
  readonly expected: string;
  readonly actual: string;
  readonly detail: string;
}

/** @returns false if blocks are missing, or were repaired or removed meanwhile: checks may lack rows */
export async function selfAudit(deps: JobDeps & MetricsDeps, chain: AuditedChain): Promise<boolean> {
  const { state, finalizedChanges } = chain;
  if (!isBackfilled(state)) return false;
  let failed = 0;
  for (const check of [checkDays, checkRows, checkTokens, checkReceipts]) {
    const checks = await check(deps, state);
    if (chain.finalizedChanges !== finalizedChanges) return false;
    failed += checks.filter(showsFault).length;
    if (checks.length > 0) await store(deps, checks, state.finalized);
    for (const { name, expected, actual, detail } of checks)
      if (actual !== '' && expected !== actual)
        deps.log.error({ event: 'self_audit_difference', name, expected, actual, detail });
  }
  deps.metrics.recordSelfAudit(failed);
  return true;
}

async function checkDays({ database }: StoreDeps, state: ChainState): Promise<Check[]> {
  const { counted, charted } = await database.readOne('audit_days', { day_through: state.dayThrough });
  return [compared('daily_transactions', counted, charted)];
}

async function checkRows({ database }: StoreDeps, state: ChainState): Promise<Check[]> {
  const row = await database.readOne('audit_rows', { to_block: state.finalized });
  return [
    compared('header_transactions', row.header_transactions, row.stored_transactions),
    compared('header_logs', row.header_logs, row.stored_logs),
  ];
}

async function checkTokens({ database, client, signal }: StoreDeps & NodeDeps, state: ChainState): Promise<Check[]> {
  const day = Math.floor(Date.now() / 86_400_000);
  const tokens = await database.read('audit_tokens', { day, limit: tokensAtOnce });
  const finalized = rollupParameters({ ...state, head: state.finalized });
  return Promise.all(
    tokens.map(async ({ address }) => {
      const parameters = { ...finalized, token: address.slice(2) };
      const question = { to: address, data: tokenQuestions.totalSupply, block: state.finalized };
      const [{ held, held_high }, reply] = await Promise.all([
        database.readOne('holder_total', parameters),
        askContract(client, question, { retries: 2, signal }),
      ]);
      const total = String(combineSumParts(held, held_high));
      const supply = decodeUint(reply, maxUint256);
      const name = `${tokenCheckPrefix}${address}`;
      if (supply !== null) return compared(name, String(supply), total);
      return { name, expected: '', actual: total, detail: 'the contract did not return its totalSupply' };
    }),
  );
}

interface NodeReceipt {
  readonly transactionHash: string;
  readonly blockHash: string;
  readonly transactionIndex: string;
  readonly status?: string;
  readonly gasUsed: string;
  readonly cumulativeGasUsed: string;
  /** Some nodes omit it. */
  readonly effectiveGasPrice?: string;
  readonly logs: readonly unknown[];
}

async function checkReceipts({ database, client, signal }: StoreDeps & NodeDeps, state: ChainState): Promise<Check[]> {
  const span = state.finalized - state.startBlock + 1;
  const blocks = Array.from({ length: sampledBlocks }, () => state.startBlock + Math.floor(Math.random() * span));
  const rows = await database.read('audit_sample', { blocks, limit: sampledTransactions });
  if (rows.length === 0) return [];
  const calls = rows.map(({ tx_hash }) => ({ method: 'eth_getTransactionReceipt', params: [tx_hash] }));
  const { results } = await client.batch(calls, { minHead: state.finalized, signal });
  // a node may have pruned old receipts
  const known = rows.flatMap((row, at) => (results[at] ? [{ row, receipt: results[at] as NodeReceipt }] : []));
  const different = known.filter(({ row, receipt }) => !isSame(row, receipt));
  const [first] = different;
  const detail = first ? `first difference: ${first.row.tx_hash}` : '';
  return [{ ...compared('sampled_receipts', String(known.length), String(known.length - different.length)), detail }];
}

function isSame(row: RowOf<'audit_sample'>, receipt: NodeReceipt): boolean {
  const fromNode = [
    receipt.blockHash,
    Number(receipt.transactionIndex),
    receipt.status ? Number(receipt.status) : null,
    BigInt(receipt.gasUsed),
    BigInt(receipt.cumulativeGasUsed),
    BigInt(receipt.effectiveGasPrice ?? row.gas_price_wei),
    receipt.logs.length,
  ];
  const stored = [
    row.block_hash,
    row.tx_index,
    row.status,
    row.gas_used,
    row.cumulative_gas_used,
    row.gas_price_wei,
    row.log_count,
  ];
  return fromNode.map(String).join() === stored.map(String).join();
}

function compared(name: string, expected: string, found: string | null): Check {
  const actual = String(found);
  return { name, expected, actual, detail: expected === actual ? '' : `expected ${expected}, found ${actual}` };
}

async function store({ database }: StoreDeps, checks: readonly Check[], through: number): Promise<void> {
  const w = new RowWriter(1 << 12);
  for (const { name, expected, actual, detail } of checks) {
    w.text(name);
    w.text(expected);
    w.text(actual);
    w.uint64(through);
    w.text(detail);
    w.uint64(Date.now());
    w.endRow();
  }
  await database.insertRowBinary('self_audits', w.view());
}
