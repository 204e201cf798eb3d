import { recoverAddress } from 'ethers';
import { known } from '#runtime/known.ts';
import { toQuantity } from '../codec/hex.ts';
import {
  encodeHeader,
  encodeReceipt,
  encodeTransaction,
  encodeUnsigned,
  encodeWithdrawal,
} from '../codec/rlp-fields.ts';
import { InvalidChainData } from '../errors.ts';
import type { BlockBundle, WireTransaction } from '../rpc/wire-types.ts';
import { computeLogsBloom } from './bloom.ts';
import { keccak256Hex } from './keccak.ts';
import { orderedTrieRoot } from './trie-root.ts';

/**
 * What to recompute. links: nothing; hash: block hash; roots: also senders and the roots of transactions, receipts and
 * withdrawals.
 */
export type VerifyLevel = 'links' | 'hash' | 'roots';

/**
 * Recomputes a block's hashes and roots, to detect data that is consistent but wrong.
 * @throws InvalidChainData
 */
export function verifyBundle({ block, receipts }: BlockBundle, level: VerifyLevel): void {
  if (level === 'links') return;
  const number = Number(block.number);
  const header = encodeHeader(block);
  if (header === undefined) throw new InvalidChainData('block_hash', number, 'the header is incomplete');
  expectEqual('block_hash', number, block.hash, keccak256Hex(header));
  if (level === 'hash') return;
  const transactions = block.transactions.map((transaction, i) => {
    const encoded = encodeTransaction(transaction);
    if (encoded !== undefined) return { transaction, encoded };
    const reason = `transaction ${i} has type ${transaction.type}, which can't be encoded`;
    throw new InvalidChainData('transactions_root', number, reason);
  });
  const root = orderedTrieRoot(transactions.map(({ encoded }) => encoded));
  expectEqual('transactions_root', number, block.transactionsRoot, root);
  for (const [i, { transaction, encoded }] of transactions.entries()) {
    expectEqual('transactions_root', number, transaction.hash, keccak256Hex(encoded));
    checkSender(number, transaction, i);
  }
  const receiptItems = receipts.map((receipt, i) =>
    encodeReceipt(
      receipt,
      Number(block.transactions[i]?.type ?? '0x0'),
      receipt.logsBloom ?? computeLogsBloom([receipt]),
    ),
  );
  expectEqual('receipts_root', number, block.receiptsRoot, orderedTrieRoot(receiptItems));
  if (block.withdrawalsRoot) {
    const root = orderedTrieRoot((block.withdrawals ?? []).map(encodeWithdrawal));
    expectEqual('withdrawals_root', number, block.withdrawalsRoot, root);
  }
}

/** Order of the group of secp256k1. @source SEC 2, 2.4.1 */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * Checks that `from` signed the transaction. The transaction hash doesn't cover `from`.
 * @source EIP-155, EIP-2718
 */
function checkSender(number: number, transaction: WireTransaction, index: number): void {
  const { r, s, v, yParity, from } = transaction;
  const parity = Number(yParity ?? v ?? '0x0');
  const bit = yParity !== undefined && yParity !== null ? parity : parity < 27 ? parity : (parity + 1) % 2;
  const word = (hex: string | null | undefined) => `0x${(hex ?? '0x').slice(2).padStart(64, '0')}`;
  const digest = keccak256Hex(known(encodeUnsigned(transaction), 'the encoding of a transaction'));
  // the lower of two values of s gives the same signer; blocks before Homestead may have the higher one (EIP-2)
  const isHigh = BigInt(word(s)) > order / 2n;
  const lower = isHigh ? toQuantity(order - BigInt(word(s))) : s;
  const signer = recoverAddress(digest, { r: word(r), s: word(lower), yParity: (isHigh ? 1 - bit : bit) as 0 | 1 });
  if (signer.toLowerCase() !== from.toLowerCase())
    throw new InvalidChainData('sender', number, `transaction ${index} has sender ${from}, but ${signer} signed it`);
}

function expectEqual(
  violation: 'block_hash' | 'transactions_root' | 'receipts_root' | 'withdrawals_root',
  number: number,
  said: string,
  computed: string,
) {
  if (said.toLowerCase() !== computed)
    throw new InvalidChainData(violation, number, `the node returned ${said}, expected ${computed}`);
}
