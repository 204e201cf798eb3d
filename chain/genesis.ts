/** Accounts that a genesis file gives coins to: they may never be named by any transaction. */
import { isAddress } from './codec/hex.ts';

/**
 * Reads the accounts of a genesis document: `alloc` as geth, Reth, Erigon and Besu have it, or `accounts` as Parity and its
 * kin (OpenEthereum, Nethermind). Addresses may lack 0x. Accounts without a balance are left out.
 * @returns lower-case addresses, each once
 * @throws Error with what is wrong
 */
export function genesisAccounts(text: string): string[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new Error('it is no JSON');
  }
  const { alloc, accounts } = (document ?? {}) as { alloc?: unknown; accounts?: unknown };
  const given = alloc ?? accounts;
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    throw new Error('it has neither "alloc" (geth and its kin) nor "accounts" (Parity and its kin)');
  const found = Object.entries(given as Record<string, { balance?: unknown } | null>).flatMap(([name, account]) => {
    const address = (name.startsWith('0x') ? name : `0x${name}`).toLowerCase();
    if (!isAddress(address)) throw new Error(`${JSON.stringify(name)} is no address`);
    return balanceOf(address, account?.balance) > 0n ? [address] : [];
  });
  return [...new Set(found)];
}

/** Wei, decimal or 0x hex, as text or number; absent: 0. */
function balanceOf(address: string, balance: unknown): bigint {
  if (balance === undefined || balance === null || balance === '') return 0n;
  if (typeof balance === 'string' && /^(0x[0-9a-fA-F]+|[0-9]+)$/.test(balance)) return BigInt(balance);
  // a number of JSON above 2^53 has lost digits, but not that it is above 0
  if (typeof balance === 'number' && balance >= 0) return balance > 0 ? 1n : 0n;
  throw new Error(`the balance of ${address} is no amount of wei`);
}
