/** What a transaction cost. @source EIP-1559 (effective price), EIP-4844 (blob fee) */
import type { WireBlock, WireReceipt, WireTransaction } from '#chain/rpc/wire-types.ts';

const present = (value: string | null | undefined): value is string => value !== undefined && value !== null;

/** Price paid per gas, wei, as hex quantity; worked out where an old node leaves it out of the receipt. */
export function effectiveGasPrice(block: WireBlock, transaction: WireTransaction, receipt: WireReceipt): string {
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

/** Fee in wei: gas used times price, and the blobs' share. */
export function transactionFee(price: string, receipt: WireReceipt): bigint {
  const fee = product(receipt.gasUsed, price);
  return present(receipt.blobGasUsed) && present(receipt.blobGasPrice)
    ? fee + product(receipt.blobGasUsed, receipt.blobGasPrice)
    : fee;
}

/** Wei that leave circulation with the block: base fee on all gas, and blob fees. */
export function burnedFees(block: WireBlock, receipts: readonly WireReceipt[]): bigint {
  let burned = present(block.baseFeePerGas) ? product(block.gasUsed, block.baseFeePerGas) : 0n;
  for (const { blobGasUsed, blobGasPrice } of receipts) {
    if (present(blobGasUsed) && present(blobGasPrice)) burned += product(blobGasUsed, blobGasPrice);
  }
  return burned;
}

/** Exact product; in doubles while they are exact. */
function product(a: string, b: string): bigint {
  const fast = Number(a) * Number(b);
  return fast <= Number.MAX_SAFE_INTEGER ? BigInt(fast) : BigInt(a) * BigInt(b);
}
