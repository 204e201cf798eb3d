/** Computes the expected database rows from a node's reply. */
import { createHash } from 'node:crypto';
import type { BlockBundle, WireBlock, WireLog } from '#chain/rpc/wire-types.ts';
import { deriveRoles } from '../decode/derive-roles.ts';
import { blockCosts } from '../decode/price-gas.ts';
import { figureTexts } from '../encode/block-figures.ts';
import { figureInput } from '../encode/figure-input.ts';
import type { KeyedRow } from './compare-rows.ts';

export interface ExpectedRows {
  readonly blocks: KeyedRow[];
  readonly transactions: KeyedRow[];
  readonly logs: KeyedRow[];
  readonly roles: KeyedRow[];
  readonly figures: KeyedRow[];
}

const decimal = (hex: string | null | undefined) => (hex === undefined || hex === null ? '' : BigInt(hex).toString());
const lower = (hex: string | null | undefined) => (hex ?? '').toLowerCase();

export function expectedRows(bundles: readonly BlockBundle[]): ExpectedRows {
  const rows: ExpectedRows = { blocks: [], transactions: [], logs: [], roles: [], figures: [] };
  for (const bundle of bundles) addBlock(rows, bundle);
  return rows;
}

function addBlock(rows: ExpectedRows, bundle: BlockBundle): void {
  const { block } = bundle;
  const costs = blockCosts(bundle);
  const number = String(Number(block.number));
  let logIndex = 0;
  for (const [i, { transaction, receipt, price, fee }] of costs.transactions.entries()) {
    const shared = {
      status: decimal(receipt.status),
      value: decimal(transaction.value),
      fee: fee.toString(),
    };
    rows.transactions.push({
      key: `${number}:${i}`,
      hash: lower(transaction.hash),
      block_hash: lower(block.hash),
      gas_used: decimal(receipt.gasUsed),
      ...shared,
      from: lower(transaction.from),
      to: lower(transaction.to),
      contract_address: lower(receipt.contractAddress),
      nonce: decimal(transaction.nonce),
      gas_price: decimal(price),
      type: decimal(transaction.type ?? '0x0'),
      input_digest: digest([transaction.input]),
    });
    for (const [address, roles] of deriveRoles(transaction, receipt)) {
      rows.roles.push({
        key: `${number}:${i}:${address}`,
        roles: String(roles),
        tx_hash: lower(transaction.hash),
        block_hash: lower(block.hash),
        ...shared,
      });
    }
    for (const log of receipt.logs) {
      rows.logs.push({
        key: `${number}:${logIndex++}`,
        tx_index: String(i),
        digest: logDigest(log),
        tx_hash: lower(transaction.hash),
      });
    }
  }
  rows.figures.push({ key: number, timestamp: decimal(block.timestamp), ...figureTexts(figureInput(bundle, costs)) });
  rows.blocks.push(blockRow(block, costs.transactions.length, logIndex));
}

function blockRow(block: WireBlock, transactionCount: number, logCount: number): KeyedRow {
  return {
    key: decimal(block.number),
    hash: lower(block.hash),
    parent_hash: lower(block.parentHash),
    miner: lower(block.miner),
    transaction_count: String(transactionCount),
    log_count: String(logCount),
    gas_used: decimal(block.gasUsed),
    timestamp: decimal(block.timestamp),
    base_fee: decimal(block.baseFeePerGas),
  };
}

function logDigest(log: WireLog): string {
  return digest([log.address, ...log.topics, log.data]);
}

function digest(parts: readonly string[]): string {
  const hash = createHash('md5');
  for (const part of parts) hash.update(Buffer.from(part.slice(2), 'hex'));
  return hash.digest('hex');
}
