/**
 * Whether a block and its receipts are whole and agree with each other. What passes here may be encoded.
 * Digits of hashes and data are checked by the encoder, which reads every one of them anyway.
 * @source design, section 3 "Trust nothing from the node"
 */
import { isAddress, isHash, isQuantity } from '../codec/hex.ts';
import { type ChainFault, InvalidChainData } from '../errors.ts';
import type { BlockBundle, WireBlock, WireLog, WireReceipt, WireTransaction } from '../rpc/wire-types.ts';
import { logsBloomOf } from './bloom.ts';
import { checkDerived } from './check-derived.ts';

const zeroBloom = `0x${'0'.repeat(512)}`;
const dataPattern = /^0x/;

/**
 * @param number the height that was asked for
 * @throws InvalidChainData with the first fault
 */
export function checkBundle(
  number: number,
  block: WireBlock | null,
  receipts: (WireReceipt | null)[] | null,
): BlockBundle {
  const fail = (fault: ChainFault, detail: string): never => {
    throw new InvalidChainData(fault, number, detail);
  };
  if (block === null || typeof block !== 'object') fail('null_block', 'the node has no such block');
  const header = block!;
  checkHeader(number, header, fail);
  if (!Array.isArray(receipts)) fail('null_receipts', 'the node has no receipts of the block');
  const { transactions } = header;
  if (transactions.length !== receipts!.length) {
    fail('receipt_count', `${transactions.length} transactions, ${receipts!.length} receipts`);
  }
  let logIndex = 0;
  let gas = 0;
  for (let i = 0; i < transactions.length; i++) {
    const receipt = receipts![i];
    if (receipt === null || typeof receipt !== 'object') fail('null_receipt', `receipt ${i} is null`);
    checkTransaction(header, transactions[i]!, i, fail);
    checkReceipt(header, transactions[i]!, receipt!, i, fail);
    checkDerived(header, transactions[i]!, receipt!, i, fail);
    gas += Number(receipt!.gasUsed);
    if (Number(receipt!.cumulativeGasUsed) !== gas) {
      fail('cumulative_gas', `receipt ${i} says ${receipt!.cumulativeGasUsed}, its sum is ${gas}`);
    }
    for (const log of receipt!.logs) checkLog(header, transactions[i]!, log, i, logIndex++, fail);
  }
  if (gas !== Number(header.gasUsed)) fail('gas_used', `header says ${Number(header.gasUsed)}, receipts ${gas}`);
  const bloom = logIndex === 0 ? zeroBloom : logsBloomOf(receipts as WireReceipt[]);
  if (bloom !== header.logsBloom && bloom !== header.logsBloom.toLowerCase())
    fail('bloom', 'logsBloom disagrees with the logs');
  return { block: header, receipts: receipts as WireReceipt[] };
}

type Fail = (fault: ChainFault, detail: string) => never;

function checkHeader(number: number, block: WireBlock, fail: Fail): void {
  const bad = (field: string) => fail('bad_field', `block field ${field} is ${show(block[field as keyof WireBlock])}`);
  for (const field of ['hash', 'parentHash', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'sha3Uncles'] as const) {
    if (!isHash(block[field])) bad(field);
  }
  for (const field of ['number', 'timestamp', 'gasLimit', 'gasUsed'] as const) if (!isCount(block[field])) bad(field);
  for (const field of ['baseFeePerGas', 'difficulty', 'size', 'blobGasUsed', 'excessBlobGas'] as const) {
    if (block[field] !== undefined && block[field] !== null && !isQuantity(block[field])) bad(field);
  }
  for (const field of ['withdrawalsRoot', 'parentBeaconBlockRoot', 'mixHash', 'requestsHash'] as const) {
    if (block[field] !== undefined && block[field] !== null && !isHash(block[field])) bad(field);
  }
  if (!isAddress(block.miner)) bad('miner');
  if (!isData(block.extraData)) bad('extraData');
  if (typeof block.logsBloom !== 'string' || block.logsBloom.length !== 514) bad('logsBloom');
  if (block.nonce !== undefined && block.nonce !== null && !/^0x[0-9a-fA-F]{1,16}$/.test(block.nonce)) bad('nonce');
  if (Number(block.number) !== number) fail('wrong_number', `asked for ${number}, got ${block.number}`);
  if (!Array.isArray(block.transactions)) bad('transactions');
  for (const field of ['uncles', 'withdrawals'] as const) {
    if (block[field] !== undefined && block[field] !== null && !Array.isArray(block[field])) bad(field);
  }
}

function checkTransaction(block: WireBlock, tx: WireTransaction, index: number, fail: Fail): void {
  if (tx === null || typeof tx !== 'object') fail('bad_field', `transaction ${index} is ${show(tx)}`);
  const bad = (field: string) =>
    fail('bad_field', `transaction ${index} field ${field} is ${show(tx[field as keyof WireTransaction])}`);
  if (!isSized(tx.hash, 66)) bad('hash');
  if (!same(tx.blockHash, block.hash))
    fail('wrong_block_hash', `transaction ${index} is of block ${show(tx.blockHash)}`);
  if (!isCount(tx.transactionIndex) || Number(tx.transactionIndex) !== index) {
    fail('transaction_index', `transaction ${index} says ${show(tx.transactionIndex)}`);
  }
  if (Number(tx.blockNumber) !== Number(block.number))
    fail('wrong_number', `transaction ${index} is of block ${show(tx.blockNumber)}`);
  if (!isSized(tx.from, 42)) bad('from');
  if (tx.to !== undefined && tx.to !== null && !isSized(tx.to, 42)) bad('to');
  if (!isQuantity(tx.value)) bad('value');
  if (!isQuantity(tx.nonce)) bad('nonce');
  if (!isCount(tx.gas)) bad('gas');
  if (!isData(tx.input)) bad('input');
  if (tx.type !== undefined && tx.type !== null && !(isQuantity(tx.type) && Number(tx.type) < 256)) bad('type');
  for (const field of ['gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas', 'maxFeePerBlobGas'] as const) {
    if (tx[field] !== undefined && tx[field] !== null && !isQuantity(tx[field])) bad(field);
  }
}

function checkReceipt(block: WireBlock, tx: WireTransaction, receipt: WireReceipt, index: number, fail: Fail): void {
  const bad = (field: string) =>
    fail('bad_field', `receipt ${index} field ${field} is ${show(receipt[field as keyof WireReceipt])}`);
  if (!same(receipt.transactionHash, tx.hash))
    fail('receipt_mismatch', `receipt ${index} is of ${show(receipt.transactionHash)}`);
  if (!same(receipt.blockHash, block.hash))
    fail('wrong_block_hash', `receipt ${index} is of block ${show(receipt.blockHash)}`);
  if (!isCount(receipt.transactionIndex) || Number(receipt.transactionIndex) !== index) {
    fail('transaction_index', `receipt ${index} says ${show(receipt.transactionIndex)}`);
  }
  if (!isCount(receipt.gasUsed)) bad('gasUsed');
  if (!isCount(receipt.cumulativeGasUsed)) bad('cumulativeGasUsed');
  if (!Array.isArray(receipt.logs)) bad('logs');
  // a receipt that lost its only log may leave the block's bloom as it is
  if (receipt.logs.length === 0 && receipt.logsBloom && receipt.logsBloom !== zeroBloom)
    fail('bloom', `receipt ${index} lost its logs`);
  const { status, root } = receipt;
  const hasStatus = status !== undefined && status !== null;
  if (hasStatus ? !/^0x0*[01]$/.test(status) : !(root && isData(root))) bad('status');
  for (const field of ['effectiveGasPrice', 'blobGasUsed', 'blobGasPrice'] as const) {
    if (receipt[field] !== undefined && receipt[field] !== null && !isQuantity(receipt[field])) bad(field);
  }
  if (
    receipt.contractAddress !== undefined &&
    receipt.contractAddress !== null &&
    !isSized(receipt.contractAddress, 42)
  ) {
    bad('contractAddress');
  }
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
    fail('log_index', `log ${logIndex} says ${show(log.logIndex)}`);
  if (log.removed === true) fail('log_mismatch', `log ${logIndex} is marked removed`);
  if (!isSized(log.address, 42)) bad('address');
  if (!Array.isArray(log.topics) || log.topics.length > 4 || !log.topics.every((topic) => isSized(topic, 66)))
    bad('topics');
  if (!isData(log.data)) bad('data');
}

/** A quantity that a JS number holds exactly. */
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
