import { isAddress, isHash, isQuantity } from '../codec/hex.ts';
import { type ChainViolation, InvalidChainData } from '../errors.ts';
import type { BlockBundle, WireBlock, WireLog, WireReceipt, WireTransaction } from '../rpc/wire-types.ts';
import { computeLogsBloom } from './bloom.ts';
import { checkBlobGas, checkDerived, hasOwnRules, isThere } from './check-derived.ts';
import { checkLists } from './check-lists.ts';

const zeroBloom = `0x${'0'.repeat(512)}`;
const dataPattern = /^0x/;

type Fail = (violation: ChainViolation, detail: string) => never;

/**
 * Checks that a block and its receipts are complete and consistent.
 * @throws InvalidChainData for the first error found
 * @source docs/mechanisms.md#checks-of-a-nodes-answer
 */
export function checkBundle(
  number: number,
  block: WireBlock | null,
  receipts: (WireReceipt | null)[] | null,
): BlockBundle {
  const fail: Fail = (violation, detail) => {
    throw new InvalidChainData(violation, number, detail);
  };
  if (block === null || typeof block !== 'object') fail('null_block', 'the node does not have the block');
  checkHeader(number, block, fail);
  if (!Array.isArray(receipts)) fail('null_receipts', 'the node does not have the receipts of the block');
  checkItems(block, receipts, fail);
  return { block, receipts };
}

function checkItems(block: WireBlock, receipts: (WireReceipt | null)[], fail: Fail): asserts receipts is WireReceipt[] {
  const { transactions } = block;
  if (transactions.length !== receipts.length)
    fail(
      'receipt_count',
      `the block has ${transactions.length} transactions, but the node returned ${receipts.length} receipts`,
    );
  let logIndex = 0;
  let gas = 0;
  for (const [i, transaction] of transactions.entries()) {
    const receipt = receipts[i];
    if (receipt === null || typeof receipt !== 'object') fail('null_receipt', `receipt ${i} is null`);
    checkTransaction(block, transaction, i, fail);
    checkReceipt(block, transaction, receipt, i, fail);
    checkDerived(block, transaction, receipt, i, fail);
    gas += Number(receipt.gasUsed);
    if (Number(receipt.cumulativeGasUsed) !== gas)
      fail('cumulative_gas', `receipt ${i} has cumulativeGasUsed ${receipt.cumulativeGasUsed}, expected ${gas}`);
    for (const log of receipt.logs) checkLog(block, transaction, log, i, logIndex++, fail);
  }
  const isOwn = hasOwnRules(block);
  checkLists(block, isOwn, fail);
  if (!isOwn) checkBlobGas(block, fail); // chains of the OP family store the size of their data in blobGasUsed
  if (gas !== Number(block.gasUsed))
    fail('gas_used', `the header has gasUsed ${Number(block.gasUsed)}, but the receipts add up to ${gas}`);
  const bloom = logIndex === 0 ? zeroBloom : computeLogsBloom(receipts as WireReceipt[]);
  if (bloom !== block.logsBloom && bloom !== block.logsBloom.toLowerCase())
    fail('bloom', 'logsBloom does not match the logs');
}

type Check = (value: unknown) => boolean;

type FieldChecks<T> = readonly (readonly [is: Check, fields: readonly (keyof T & string)[]])[];

function checkFields<T>(item: T, checks: FieldChecks<T>, name: () => string, fail: Fail): void {
  for (const [is, fields] of checks)
    for (const field of fields)
      if (!is(item[field])) fail('bad_field', `${name()} field ${field} is ${show(item[field])}`);
}

const optional =
  (is: Check): Check =>
  (value) =>
    !isThere(value) || is(value);
const hasAddressSize: Check = (value) => isSized(value, 42);

const headerChecks: FieldChecks<WireBlock> = [
  [isHash, ['hash', 'parentHash', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'sha3Uncles']],
  [isCount, ['number', 'timestamp', 'gasLimit', 'gasUsed']],
  [optional(isQuantity), ['baseFeePerGas', 'difficulty', 'size', 'blobGasUsed', 'excessBlobGas']],
  [optional(isHash), ['withdrawalsRoot', 'parentBeaconBlockRoot', 'mixHash', 'requestsHash']],
  [isAddress, ['miner']],
  [isData, ['extraData']],
  [(value) => typeof value === 'string' && value.length === 514, ['logsBloom']],
  [optional((value) => /^0x[0-9a-fA-F]{1,16}$/.test(String(value))), ['nonce']],
];
const listChecks: FieldChecks<WireBlock> = [
  [Array.isArray, ['transactions']],
  [optional(Array.isArray), ['uncles', 'withdrawals']],
];

function checkHeader(number: number, block: WireBlock, fail: Fail): void {
  checkFields(block, headerChecks, () => 'block', fail);
  if (Number(block.number) !== number) fail('wrong_number', `requested block ${number}, got ${block.number}`);
  checkFields(block, listChecks, () => 'block', fail);
  if (isThere(block.withdrawalsRoot) && !isThere(block.withdrawals))
    fail('bad_field', 'the block has a withdrawalsRoot, but no list of withdrawals');
}

const transactionChecks: FieldChecks<WireTransaction> = [
  [hasAddressSize, ['from']],
  [optional(hasAddressSize), ['to']],
  [isQuantity, ['value', 'nonce']],
  [isCount, ['gas']],
  [isData, ['input']],
  [optional((value) => isQuantity(value) && Number(value) < 256), ['type']],
  [optional(isQuantity), ['gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas', 'maxFeePerBlobGas']],
  [optional(everyItem(isAccess)), ['accessList']],
  [optional(everyItem(isHash)), ['blobVersionedHashes']],
  [optional(everyItem(isAuthorization)), ['authorizationList']],
];

function everyItem(is: Check): Check {
  return (value) => Array.isArray(value) && value.every(is);
}

/** @source EIP-2930 */
function isAccess(value: unknown): boolean {
  const { address, storageKeys } = (value ?? {}) as Record<string, unknown>;
  return isAddress(address) && everyItem(isHash)(storageKeys);
}

/** @source EIP-7702 */
function isAuthorization(value: unknown): boolean {
  const { chainId, address, nonce, yParity, v, r, s } = (value ?? {}) as Record<string, unknown>;
  return isAddress(address) && [chainId, nonce, yParity ?? v, r, s].every(isQuantity);
}

function checkTransaction(block: WireBlock, tx: WireTransaction, index: number, fail: Fail): void {
  if (tx === null || typeof tx !== 'object') fail('bad_field', `transaction ${index} is ${show(tx)}`);
  if (!isSized(tx.hash, 66)) fail('bad_field', `transaction ${index} field hash is ${show(tx.hash)}`);
  if (!same(tx.blockHash, block.hash))
    fail('wrong_block_hash', `transaction ${index} is of block ${show(tx.blockHash)}`);
  if (!isCount(tx.transactionIndex) || Number(tx.transactionIndex) !== index)
    fail('transaction_index', `transaction ${index} has transactionIndex ${show(tx.transactionIndex)}`);
  if (Number(tx.blockNumber) !== Number(block.number))
    fail('wrong_number', `transaction ${index} is of block ${show(tx.blockNumber)}`);
  checkFields(tx, transactionChecks, () => `transaction ${index}`, fail);
}

const receiptChecks: FieldChecks<WireReceipt> = [
  [optional(isQuantity), ['effectiveGasPrice', 'blobGasUsed', 'blobGasPrice']],
  [optional(hasAddressSize), ['contractAddress']],
];

function checkReceipt(block: WireBlock, tx: WireTransaction, receipt: WireReceipt, index: number, fail: Fail): void {
  const bad = (field: keyof WireReceipt) =>
    fail('bad_field', `receipt ${index} field ${field} is ${show(receipt[field])}`);
  if (!same(receipt.transactionHash, tx.hash))
    fail('receipt_mismatch', `receipt ${index} is of transaction ${show(receipt.transactionHash)}`);
  if (!same(receipt.blockHash, block.hash))
    fail('wrong_block_hash', `receipt ${index} is of block ${show(receipt.blockHash)}`);
  if (!isCount(receipt.transactionIndex) || Number(receipt.transactionIndex) !== index)
    fail('transaction_index', `receipt ${index} has transactionIndex ${show(receipt.transactionIndex)}`);
  if (!isCount(receipt.gasUsed)) bad('gasUsed');
  if (!isCount(receipt.cumulativeGasUsed)) bad('cumulativeGasUsed');
  if (!Array.isArray(receipt.logs)) bad('logs');
  // the bloom filter of the block may not reveal an omitted log
  if (receipt.logs.length === 0 && receipt.logsBloom && receipt.logsBloom !== zeroBloom)
    fail('bloom', `receipt ${index} has no logs, but a logsBloom`);
  const { status, root } = receipt;
  if (isThere(status) ? !/^0x0*[01]$/.test(status) : !(root && isData(root))) bad('status');
  checkFields(receipt, receiptChecks, () => `receipt ${index}`, fail);
}

function checkLog(
  block: WireBlock,
  tx: WireTransaction,
  log: WireLog,
  txIndex: number,
  logIndex: number,
  fail: Fail,
): void {
  if (log === null || typeof log !== 'object') fail('bad_field', `log ${logIndex} is ${show(log)}`);
  const bad = (field: string) =>
    fail('bad_field', `log ${logIndex} field ${field} is ${show(log[field as keyof WireLog])}`);
  if (!same(log.blockHash, block.hash)) fail('wrong_block_hash', `log ${logIndex} is of block ${show(log.blockHash)}`);
  if (
    !same(log.transactionHash, tx.hash) ||
    !isCount(log.transactionIndex) ||
    Number(log.transactionIndex) !== txIndex
  ) {
    fail(
      'log_mismatch',
      `log ${logIndex} is of transaction ${show(log.transactionIndex)} ${show(log.transactionHash)}`,
    );
  }
  if (!isCount(log.logIndex) || Number(log.logIndex) !== logIndex)
    fail('log_index', `log ${logIndex} has logIndex ${show(log.logIndex)}`);
  if (log.removed === true) fail('log_mismatch', `log ${logIndex} is marked removed`);
  if (!isSized(log.address, 42)) bad('address');
  if (!Array.isArray(log.topics) || log.topics.length > 4 || !log.topics.every((topic) => isSized(topic, 66)))
    bad('topics');
  if (!isData(log.data)) bad('data');
}

function isCount(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 18 && isQuantity(value) && Number.isSafeInteger(Number(value));
}

function isSized(value: unknown, length: number): boolean {
  return typeof value === 'string' && value.length === length && dataPattern.test(value);
}

function isData(value: unknown): value is string {
  return typeof value === 'string' && value.length % 2 === 0 && dataPattern.test(value);
}

function same(a: unknown, b: string): boolean {
  return a === b || (typeof a === 'string' && a.toLowerCase() === b.toLowerCase());
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'absent').slice(0, 80);
}
