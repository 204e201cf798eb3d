import type { BlockBundle, WireBlock, WireLog, WireReceipt, WireTransaction } from '#chain/rpc/wire-types.ts';
import type { RowWriter } from '#sql/row-writer.ts';
import { deriveRoles, strongestRole } from '../decode/derive-roles.ts';
import { blockCosts } from '../decode/price-gas.ts';
import { encodeFigures } from './block-figures.ts';
import { figureInput } from './figure-input.ts';
import { encodeTypedFields } from './typed-fields.ts';

type Writers = Readonly<Record<'blocks' | 'transactions' | 'logs' | 'address_roles' | 'block_figures', RowWriter>>;
type Optional = string | null | undefined;

interface BlockKey {
  readonly final: 0 | 1;
  readonly number: number;
  readonly hash: string;
  readonly timestamp: number;
}

/**
 * Encodes a block as rows, with columns in the order of sql/migrations.
 * @invariant the same block gives the same bytes
 */
export function encodeBlock(writers: Writers, bundle: BlockBundle, final: 0 | 1): void {
  const { block } = bundle;
  const key: BlockKey = { final, number: Number(block.number), hash: block.hash, timestamp: Number(block.timestamp) };
  const costs = blockCosts(bundle);
  let logIndex = 0;
  for (const [i, { transaction, receipt, price, fee }] of costs.transactions.entries()) {
    encodeTransaction(writers.transactions, key, i, transaction, receipt, price, fee);
    encodeRoles(writers.address_roles, key, i, transaction, receipt, price, fee);
    for (const log of receipt.logs) encodeLog(writers.logs, key, i, logIndex++, log);
  }
  encodeHeader(writers.blocks, key, block, logIndex, costs.fees, costs.burned);
  encodeFigures(writers.block_figures, final, figureInput(bundle, costs));
}

function encodeHeader(w: RowWriter, key: BlockKey, b: WireBlock, logCount: number, fees: bigint, burned: bigint): void {
  w.uint8(key.final);
  w.uint64(key.number);
  w.fixed(b.hash, 32);
  w.fixed(b.parentHash, 32);
  w.uint32(key.timestamp);
  w.fixed(b.miner, 20);
  w.quantity64(b.gasLimit);
  w.quantity64(b.gasUsed);
  nullableQuantity256(w, b.baseFeePerGas);
  w.quantity256(b.difficulty ?? '0x0');
  w.quantity64(b.size ?? '0x0');
  w.data(b.extraData);
  w.fixed(`0x${(b.nonce ?? '0x0').slice(2).padStart(16, '0')}`, 8);
  if (b.mixHash) w.fixed(b.mixHash, 32);
  else w.zeros(32);
  w.fixed(b.stateRoot, 32);
  w.fixed(b.transactionsRoot, 32);
  w.fixed(b.receiptsRoot, 32);
  w.fixed(b.sha3Uncles, 32);
  nullableFixed(w, b.withdrawalsRoot, 32);
  nullableFixed(w, b.parentBeaconBlockRoot, 32);
  nullableQuantity64(w, b.blobGasUsed);
  nullableQuantity64(w, b.excessBlobGas);
  w.uint16(b.uncles?.length ?? 0);
  w.uint16(b.withdrawals?.length ?? 0);
  w.uint32(b.transactions.length);
  w.uint32(logCount);
  w.uint256(fees);
  w.uint256(burned);
  w.endRow();
}

function encodeTransaction(
  w: RowWriter,
  key: BlockKey,
  index: number,
  t: WireTransaction,
  r: WireReceipt,
  price: string,
  fee: bigint,
): void {
  w.uint8(key.final);
  w.uint64(key.number);
  w.uint32(index);
  w.fixed(t.hash, 32);
  w.fixed(key.hash, 32);
  w.uint32(key.timestamp);
  w.uint8(Number(t.type ?? '0x0'));
  w.fixed(t.from, 20);
  nullableFixed(w, t.to, 20);
  nullableFixed(w, r.contractAddress, 20);
  w.quantity256(t.value);
  w.quantity64(t.nonce);
  w.quantity64(t.gas);
  w.quantity256(price);
  nullableQuantity256(w, t.maxFeePerGas);
  nullableQuantity256(w, t.maxPriorityFeePerGas);
  nullableQuantity256(w, t.maxFeePerBlobGas);
  nullableQuantity64(w, r.blobGasUsed);
  nullableQuantity256(w, r.blobGasPrice);
  w.uint16(t.blobVersionedHashes?.length ?? 0);
  w.uint16(t.authorizationList?.length ?? 0);
  w.data(t.input);
  nullableStatus(w, r.status);
  w.quantity64(r.gasUsed);
  w.quantity64(r.cumulativeGasUsed);
  w.uint256(fee);
  w.uint32(r.logs.length);
  w.text(encodeTypedFields(t));
  w.endRow();
}

function encodeRoles(
  w: RowWriter,
  key: BlockKey,
  index: number,
  t: WireTransaction,
  r: WireReceipt,
  price: string,
  fee: bigint,
): void {
  let [common, end] = [0, 0]; // bytes that all rows of a transaction share
  for (const [address, bits] of deriveRoles(t, r)) {
    w.uint8(key.final);
    w.fixed(address, 20);
    w.uint64(key.number);
    w.uint32(index);
    w.uint8(strongestRole(bits));
    w.uint8(bits);
    if (end > 0) w.repeat(common, end);
    else {
      common = w.position;
      encodeHistoryColumns(w, key, t, r, price, fee);
      end = w.position;
    }
    w.endRow();
  }
}

function encodeHistoryColumns(
  w: RowWriter,
  key: BlockKey,
  t: WireTransaction,
  r: WireReceipt,
  price: string,
  fee: bigint,
): void {
  w.fixed(t.hash, 32);
  w.fixed(key.hash, 32);
  w.uint32(key.timestamp);
  w.uint8(Number(t.type ?? '0x0'));
  w.fixed(t.from, 20);
  nullableFixed(w, t.to, 20);
  nullableFixed(w, r.contractAddress, 20);
  w.quantity256(t.value);
  w.quantity64(t.nonce);
  w.quantity64(t.gas);
  w.quantity64(r.gasUsed);
  w.quantity256(price);
  w.uint256(fee);
  nullableStatus(w, r.status);
  if (t.input.length >= 10) w.data(t.input, 4);
  else w.uint8(0);
}

function encodeLog(w: RowWriter, key: BlockKey, txIndex: number, logIndex: number, log: WireLog): void {
  w.uint8(key.final);
  w.uint64(key.number);
  w.uint32(logIndex);
  w.uint32(txIndex);
  w.fixed(log.transactionHash, 32);
  w.uint32(key.timestamp);
  w.fixed(log.address, 20);
  w.uint8(log.topics.length);
  for (const topic of log.topics) w.fixed(topic, 32);
  w.zeros(32 * (4 - log.topics.length));
  w.data(log.data);
  w.endRow();
}

function nullableFixed(w: RowWriter, hex: Optional, length: number): void {
  w.isNull(!hex);
  if (hex) w.fixed(hex, length);
}

function nullableQuantity64(w: RowWriter, hex: Optional): void {
  w.isNull(!hex);
  if (hex) w.quantity64(hex);
}

function nullableQuantity256(w: RowWriter, hex: Optional): void {
  w.isNull(!hex);
  if (hex) w.quantity256(hex);
}

function nullableStatus(w: RowWriter, status: Optional): void {
  w.isNull(!status);
  if (status) w.uint8(Number(status));
}
