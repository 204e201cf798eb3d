/**
 * Checks receipt fields that can be computed cheaply from other fields.
 * @source yellow paper 7 (addresses of created contracts), EIP-1559 (gas price), EIP-4844 (blob gas and its price)
 */
import { getCreateAddress } from 'ethers';
import type { ChainViolation } from '../errors.ts';
import type { WireBlock, WireReceipt, WireTransaction } from '../rpc/wire-types.ts';
import { blobPrices, findChainId, gasPerBlob } from './blob-price.ts';

type Fail = (violation: ChainViolation, detail: string) => never;

/**
 * First chain-specific transaction type, such as rollup deposits. These have other fee and address rules.
 * @source docs/operations.md
 */
const ownTypes = 0x64;

export function checkDerived(
  block: WireBlock,
  tx: WireTransaction,
  receipt: WireReceipt,
  index: number,
  fail: Fail,
): void {
  const { from, to } = receipt as WireReceipt & { from?: string | null; to?: string | null };
  if (isThere(from) && !same(from, tx.from))
    fail('receipt_mismatch', `receipt ${index} has sender ${from}, but its transaction has ${tx.from}`);
  if (to !== undefined && !same(to, tx.to))
    fail('receipt_mismatch', `receipt ${index} has recipient ${to}, but its transaction has ${tx.to ?? null}`);
  const type = Number(tx.type ?? '0x0');
  if (type >= ownTypes) return;
  checkCreation(tx, receipt, index, fail);
  checkPrice(block, tx, receipt, type, index, fail);
  if (type === 3 || isThere(receipt.blobGasPrice)) checkBlobs(block, tx, receipt, index, fail);
}

function checkCreation(tx: WireTransaction, receipt: WireReceipt, index: number, fail: Fail): void {
  const { contractAddress } = receipt;
  if (!isThere(contractAddress)) {
    if (!isThere(tx.to) && isThere(receipt.status) && Number(receipt.status) === 1)
      fail('contract_address', `receipt ${index} of a successful creation has no contractAddress`);
    return;
  }
  if (isThere(tx.to)) fail('contract_address', `receipt ${index} has a contractAddress, but its transaction is a call`);
  const created = getCreateAddress({ from: tx.from.toLowerCase(), nonce: BigInt(tx.nonce) });
  if (!same(created, contractAddress))
    fail(
      'contract_address',
      `receipt ${index} has contractAddress ${contractAddress}, expected ${created.toLowerCase()}`,
    );
}

function checkPrice(
  block: WireBlock,
  tx: WireTransaction,
  { effectiveGasPrice }: WireReceipt,
  type: number,
  index: number,
  fail: Fail,
): void {
  if (!isThere(effectiveGasPrice)) return;
  const { baseFeePerGas } = block;
  const { maxFeePerGas, maxPriorityFeePerGas, gasPrice } = tx;
  let price: bigint | undefined;
  if (type >= 2 && isThere(maxFeePerGas) && isThere(baseFeePerGas)) {
    const withTip = BigInt(baseFeePerGas) + BigInt(maxPriorityFeePerGas ?? '0x0');
    price = withTip < BigInt(maxFeePerGas) ? withTip : BigInt(maxFeePerGas);
  } else if (type < 2 && isThere(gasPrice)) price = BigInt(gasPrice);
  const said = BigInt(effectiveGasPrice);
  if (price === undefined || said === price) return;
  // Arbitrum charges the base fee, regardless of the transaction's fee fields
  if (isThere(baseFeePerGas) && said === BigInt(baseFeePerGas) && isOfArbitrum(block)) return;
  fail('gas_price', `receipt ${index} has gas price ${said} wei, expected ${price}`);
}

const countBlobs = ({ blobVersionedHashes }: WireTransaction): number => blobVersionedHashes?.length ?? 0;

/** Returns whether a block has chain-specific transactions. Such chains also redefine header fields. */
export const hasOwnRules = ({ transactions }: WireBlock): boolean =>
  transactions.some(({ type }) => Number(type ?? '0x0') >= ownTypes);

/**
 * Returns whether a block is of Arbitrum, where each block has a chain-specific transaction.
 * @source Nitro, go-ethereum core/types/transaction.go: types 0x64 to 0x6a
 */
const isOfArbitrum = ({ transactions }: WireBlock): boolean =>
  transactions.some(({ type }) => Number(type ?? '0x0') >= ownTypes && Number(type) <= 0x6a);

export function checkBlobGas({ blobGasUsed, transactions }: WireBlock, fail: Fail): void {
  const gas = BigInt(transactions.reduce((sum, tx) => sum + countBlobs(tx), 0)) * gasPerBlob;
  const said = isThere(blobGasUsed) ? BigInt(blobGasUsed) : 0n;
  if (said !== gas) fail('blob_fee', `the block has blob gas ${said}, but the blobs of its transactions need ${gas}`);
}

function checkBlobs(block: WireBlock, tx: WireTransaction, receipt: WireReceipt, index: number, fail: Fail): void {
  const gas = BigInt(countBlobs(tx)) * gasPerBlob;
  if (isThere(receipt.blobGasUsed) && BigInt(receipt.blobGasUsed) !== gas)
    fail('blob_fee', `receipt ${index} has blob gas ${BigInt(receipt.blobGasUsed)}, expected ${gas}`);
  if (!isThere(receipt.blobGasPrice) || !isThere(block.excessBlobGas)) return;
  const said = BigInt(receipt.blobGasPrice);
  if (!blobPrices(block.excessBlobGas, findChainId(block.transactions)).includes(said))
    fail(
      'blob_fee',
      `receipt ${index} has ${said} wei per blob gas, but the block's excess blob gas gives another price`,
    );
}

export const isThere = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null;

function same(a: string | null | undefined, b: string | null | undefined): boolean {
  return (a ?? null) === (b ?? null) || (isThere(a) && a.toLowerCase() === b?.toLowerCase());
}
