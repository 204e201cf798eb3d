/**
 * Addresses that took part in a transaction, and their roles. A created contract counts as to, the emitter of a log as log.
 * Addresses that are only topics or arguments don't count, nor does the address of a failed creation.
 * @shape one entry per address, its strongest role first in from > to > log
 */
import type { WireReceipt, WireTransaction } from '#chain/rpc/wire-types.ts';

const roleBits = { from: 1, to: 2, log: 4 } as const;

/** Returns role bits by lower-case address, the sender first. */
export function deriveRoles(transaction: WireTransaction, receipt: WireReceipt): Map<string, number> {
  const roles = new Map<string, number>([[lower(transaction.from), roleBits.from]]);
  const add = (address: string, bit: number) => roles.set(address, (roles.get(address) ?? 0) | bit);
  if (transaction.to) add(lower(transaction.to), roleBits.to);
  if (receipt.contractAddress && !hasFailed(receipt)) add(lower(receipt.contractAddress), roleBits.to);
  let last = '';
  for (const log of receipt.logs) {
    if (log.address === last) continue;
    last = log.address;
    add(lower(last), roleBits.log);
  }
  return roles;
}

/** Returns true for a failed transaction. Receipts before Byzantium have no status and count as succeeded. */
const hasFailed = ({ status }: WireReceipt) => status !== undefined && status !== null && Number(status) === 0;

/** Returns a number of the column's Enum8. */
export function strongestRole(bits: number): 1 | 2 | 3 {
  if (bits & roleBits.from) return 1;
  return bits & roleBits.to ? 2 : 3;
}

const upperCase = /[A-F]/;

function lower(address: string): string {
  return upperCase.test(address) ? address.toLowerCase() : address;
}
