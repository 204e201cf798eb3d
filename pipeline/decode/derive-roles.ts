/**
 * Derives the roles of addresses in a transaction: from, to (recipient or created contract) and log (emitter of a log).
 * Addresses in topics or arguments and contracts of failed creations have none.
 */
import type { WireReceipt, WireTransaction } from '#chain/rpc/wire-types.ts';

const roleBits = { from: 1, to: 2, log: 4 } as const;

/** Returns addresses with their role bits, the sender first. */
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

/** Receipts before Byzantium have no status and count as successful. */
const hasFailed = ({ status }: WireReceipt) => status !== undefined && status !== null && Number(status) === 0;

/** Returns the strongest role: 1 from, 2 to, 3 log. */
export function strongestRole(bits: number): 1 | 2 | 3 {
  if (bits & roleBits.from) return 1;
  return bits & roleBits.to ? 2 : 3;
}

const upperCase = /[A-F]/;

function lower(address: string): string {
  return upperCase.test(address) ? address.toLowerCase() : address;
}
