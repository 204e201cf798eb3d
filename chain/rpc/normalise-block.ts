/**
 * Corrects replies that deviate from the Ethereum execution APIs, if their meaning is clear. docs/operations.md lists
 * them.
 */
import { isHash, isQuantity, toQuantity, zeroAddress } from '../codec/hex.ts';
import { blobPrices, findChainId, gasPerBlob } from '../verify/blob-price.ts';
import { computeLogsBloom } from '../verify/bloom.ts';
import type { WireBlock, WireLog, WireReceipt, WireTransaction } from './wire-types.ts';

type LooseBlock = WireBlock & { author?: string | null; coinbase?: string | null };
type LooseTransaction = WireTransaction & { data?: string | null };
type LooseReceipt = WireReceipt & { depositNonce?: string | null };

const depositType = 0x7e;

/** Normalises a block and its receipts in place. */
export function normaliseBlock(
  block: WireBlock | null,
  receipts: (WireReceipt | null)[] | null,
): (WireReceipt | null)[] | null {
  if (block === null || typeof block !== 'object' || !Array.isArray(block.transactions)) return receipts;
  const own = Array.isArray(receipts) ? withoutStray(block, receipts) : receipts;
  nameProducer(block);
  for (const [i, transaction] of block.transactions.entries())
    if (transaction !== null && typeof transaction === 'object') completeTransaction(transaction, own?.[i]);
  if (Array.isArray(own) && own.every((receipt) => Array.isArray(receipt?.logs))) {
    completeBlobFees(block, own as WireReceipt[]);
    renumberLogs(own as WireReceipt[]);
    completeBloom(block, own as WireReceipt[]);
  }
  return own;
}

function nameProducer(block: LooseBlock): void {
  if (block.miner === undefined || block.miner === null) block.miner = block.author ?? block.coinbase ?? zeroAddress;
}

function completeTransaction(transaction: LooseTransaction, receipt: LooseReceipt | null | undefined): void {
  if ((transaction.input === undefined || transaction.input === null) && typeof transaction.data === 'string')
    transaction.input = transaction.data;
  const isDeposit = Number(transaction.type) === depositType;
  if (isDeposit && (transaction.nonce === undefined || transaction.nonce === null))
    transaction.nonce = receipt?.depositNonce ?? '0x0';
}

/** Adds blob gas if a receipt lacks it, and its price if all forks give the same one. */
function completeBlobFees({ transactions, excessBlobGas }: WireBlock, receipts: readonly WireReceipt[]): void {
  for (const [i, receipt] of receipts.entries()) {
    const hashes: unknown = transactions[i]?.blobVersionedHashes;
    if (!Array.isArray(hashes) || hashes.length === 0 || !hashes.every(isHash)) continue;
    receipt.blobGasUsed ??= toQuantity(gasPerBlob * BigInt(hashes.length));
    const prices = new Set(isQuantity(excessBlobGas) ? blobPrices(excessBlobGas, findChainId(transactions)) : []);
    const [price] = prices;
    if (price !== undefined && prices.size === 1) receipt.blobGasPrice ??= toQuantity(price);
  }
}

/** Removes the extra empty receipt that the Polygon node Bor adds for state sync. */
function withoutStray(block: WireBlock, receipts: (WireReceipt | null)[]): (WireReceipt | null)[] {
  const last = receipts.at(-1);
  const isStray =
    receipts.length === block.transactions.length + 1 &&
    last !== null &&
    Array.isArray(last?.logs) &&
    last.logs.length === 0 &&
    Number(last.gasUsed) === 0 &&
    /^0x0*$/.test(last.transactionHash ?? '0x');
  return isStray ? receipts.slice(0, -1) : receipts;
}

/** Numbers logs per block. Some nodes number them per transaction. */
function renumberLogs(receipts: readonly WireReceipt[]): void {
  const withLogs = receipts.filter(({ logs }) => logs.length > 0);
  const restarts = withLogs.length > 1 && withLogs.every(({ logs }) => logs.every((log, i) => isAt(log, i)));
  if (!restarts) return;
  let index = 0;
  for (const { logs } of withLogs) for (const log of logs) log.logIndex = `0x${(index++).toString(16)}`;
}

const isAt = (log: WireLog | null, index: number) =>
  typeof log?.logIndex === 'string' && Number(log.logIndex) === index;

function completeBloom(block: WireBlock, receipts: readonly WireReceipt[]): void {
  if (block.logsBloom !== undefined && block.logsBloom !== null) return;
  const isReadable = receipts.every(({ logs }) =>
    logs.every((log) => typeof log?.address === 'string' && Array.isArray(log.topics)),
  );
  if (isReadable) block.logsBloom = computeLogsBloom(receipts);
}
