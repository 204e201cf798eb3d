import type { StoreDeps } from '../../read/reader-deps.ts';
import { readTokenNames } from '../../read/tokens/token-texts.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { type FilterField, readAmount } from './filters.ts';

export const leastField: FilterField = { name: 'least', label: 'At least', placeholder: 'tokens' };

/**
 * Converts the smallest amount in a form to the smallest unit of a token. As on pages, an unknown number of decimals counts
 * as 0. @throws ApiProblem bad_query
 */
export async function readLeast(
  deps: StoreDeps,
  query: URLSearchParams,
  token: string | undefined,
): Promise<{ readonly minValue?: string }> {
  if (!query.get('least')?.trim()) return {};
  if (token === undefined)
    throw new ApiProblem('bad_query', 'enter a token to see its transfers of at least an amount');
  const names = await readTokenNames(deps, [token.toLowerCase()]);
  const minValue = readAmount(query, 'least', names.get(token.toLowerCase())?.decimals ?? 0);
  return minValue === undefined ? {} : { minValue };
}
