/** Computes gas prices and fees. @source EIP-1559 (effective price), EIP-4844 (blob fee) */
import type { BlockBundle, WireBlock, WireReceipt, WireTransaction } from '#chain/rpc/wire-types.ts';
import { known } from '#runtime/known.ts';

const present = (value: string | null | undefined): value is string => value !== undefined && value !== null;

/** Returns the effective gas price. Computes it if an old node omits it. */
function effectiveGasPrice(block: WireBlock, transaction: WireTransaction, receipt: WireReceipt): string {
  if (present(receipt.effectiveGasPrice)) return receipt.effectiveGasPrice;
  const { maxFeePerGas, maxPriorityFeePerGas, gasPrice } = transaction;
  if (present(maxFeePerGas) && present(block.baseFeePerGas)) {
    const base = BigInt(block.baseFeePerGas);
    const tip = BigInt(maxPriorityFeePerGas ?? '0x0');
    const cap = BigInt(maxFeePerGas);
    const price = base + tip < cap ? base + tip : cap;
    return `0x${price.toString(16)}`;
  }
  return gasPrice ?? '0x0';
}

function transactionFee(price: string, receipt: WireReceipt): bigint {
  const fee = product(receipt.gasUsed, price);
  return present(receipt.blobGasUsed) && present(receipt.blobGasPrice)
    ? fee + product(receipt.blobGasUsed, receipt.blobGasPrice)
    : fee;
}

function burnedFees(block: WireBlock, receipts: readonly WireReceipt[]): bigint {
  let burned = present(block.baseFeePerGas) ? product(block.gasUsed, block.baseFeePerGas) : 0n;
  for (const { blobGasUsed, blobGasPrice } of receipts) {
    if (present(blobGasUsed) && present(blobGasPrice)) burned += product(blobGasUsed, blobGasPrice);
  }
  return burned;
}

export interface PricedTransaction {
  readonly transaction: WireTransaction;
  readonly receipt: WireReceipt;
  /** Wei per gas, hex. */
  readonly price: string;
  /** Wei. */
  readonly fee: bigint;
}

/** Fees in wei. */
export interface BlockCosts {
  readonly transactions: readonly PricedTransaction[];
  readonly fees: bigint;
  readonly burned: bigint;
}

export function blockCosts({ block, receipts }: BlockBundle): BlockCosts {
  const transactions = receipts.map((receipt, i) => {
    const transaction = known(block.transactions[i], 'the transaction of a receipt');
    const price = effectiveGasPrice(block, transaction, receipt);
    return { transaction, receipt, price, fee: transactionFee(price, receipt) };
  });
  const fees = transactions.reduce((sum, { fee }) => sum + fee, 0n);
  return { transactions, fees, burned: burnedFees(block, receipts) };
}

/** Multiplies hex quantities as numbers while the product is exact, because bigint is slower. */
function product(a: string, b: string): bigint {
  const fast = Number(a) * Number(b);
  return fast <= Number.MAX_SAFE_INTEGER ? BigInt(fast) : BigInt(a) * BigInt(b);
}
