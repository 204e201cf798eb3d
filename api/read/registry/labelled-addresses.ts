import { ApiProblem } from '../../terms/errors.ts';
import type { StoreDeps } from '../reader-deps.ts';

const maxAddresses = 100_000;

/**
 * Returns the addresses with a category or label in the current registry manifest, 40 hex digits each. Ignores the case
 * of labels.
 * @throws ApiProblem bad_query for more than 100,000 addresses: sums over some of them would be too low
 */
export async function readLabelledAddresses(
  { database }: StoreDeps,
  by: 'category' | 'label',
  text: string,
): Promise<string[]> {
  const rows = await database.read('labelled_addresses', { [by]: text, limit: maxAddresses + 1 }, [by]);
  if (rows.length > maxAddresses)
    throw new ApiProblem('bad_query', `more than ${maxAddresses} addresses have the ${by} "${text}"`);
  return rows.map(({ address_hex }) => address_hex);
}
