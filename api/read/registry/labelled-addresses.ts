import type { StoreDeps } from '../reader-deps.ts';

const maxAddresses = 100_000;

/**
 * Returns the addresses with a category (such as exchange) or label in the current registry manifest, 40 hex digits
 * each. Ignores the case of labels.
 */
export async function readLabelledAddresses(
  { database }: StoreDeps,
  by: 'category' | 'label',
  text: string,
): Promise<string[]> {
  const rows = await database.read('labelled_addresses', { [by]: text, limit: maxAddresses }, [by]);
  return rows.map(({ address_hex }) => address_hex);
}
