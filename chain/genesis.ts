import { isAddress } from './codec/hex.ts';

/**
 * Returns the accounts with a balance in a genesis file: its field `alloc` (geth, Reth, Erigon, Besu) or `accounts`
 * (Parity, OpenEthereum, Nethermind).
 * @returns distinct lower-case addresses
 * @throws Error when the document is invalid
 */
export function genesisAccounts(text: string): string[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new Error('the file is not valid JSON');
  }
  const { alloc, accounts } = (document ?? {}) as { alloc?: unknown; accounts?: unknown };
  const given = alloc ?? accounts;
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    throw new Error('the file must have "alloc" (geth format) or "accounts" (Parity format)');
  const found = Object.entries(given as Record<string, { balance?: unknown } | null>).flatMap(([name, account]) => {
    const address = (name.startsWith('0x') ? name : `0x${name}`).toLowerCase();
    if (!isAddress(address)) throw new Error(`the account ${JSON.stringify(name)} is not an address of 40 hex digits`);
    return readBalance(address, account?.balance) > 0n ? [address] : [];
  });
  return [...new Set(found)];
}

function readBalance(address: string, balance: unknown): bigint {
  if (balance === undefined || balance === null || balance === '') return 0n;
  if (typeof balance === 'string' && /^(0x[0-9a-fA-F]+|[0-9]+)$/.test(balance)) return BigInt(balance);
  // JSON numbers above 2^53 lose digits, but only zero or non-zero matters here
  if (typeof balance === 'number' && balance >= 0) return balance > 0 ? 1n : 0n;
  throw new Error(`the balance of ${address} must be an amount of wei, decimal or 0x hex`);
}
