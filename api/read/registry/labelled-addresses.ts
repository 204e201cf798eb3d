import type { StoreDeps } from '../reader-deps.ts';

const maxAddresses = 100_000;

/**
 * Returns the addresses of the current registry file with a category (for example exchange) or a label, 40 hex digits
 * each. Labels match in upper and lower case.
 */
export async function readLabelledAddresses(
  { database }: StoreDeps,
  by: 'category' | 'label',
  text: string,
): Promise<string[]> {
  const rows = await database.read('labelled_addresses', { [by]: text, limit: maxAddresses }, [by]);
  return rows.map(({ address_hex }) => address_hex);
}
