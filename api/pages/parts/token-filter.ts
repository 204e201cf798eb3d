import type { StoreDeps } from '../../read/reader-deps.ts';
import { readTokenNames } from '../../read/tokens/token-texts.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { parseAddress } from '../../terms/parse-address.ts';
import { type FilterField, readLeast } from './filters.ts';
import { isInSmallestUnit } from './number.ts';

export const leastField: FilterField = { name: 'least', label: 'At least', placeholder: 'tokens', sets: ['minValue'] };

/** Like readLeast(), for an amount of a token in the unit in which pages show it. @throws ApiProblem bad_query */
export async function readLeastTokens(
  deps: StoreDeps,
  query: URLSearchParams,
  token: string | undefined,
): Promise<ReturnType<typeof readLeast>> {
  if (!query.get('least')?.trim()) return {};
  if (token === undefined)
    throw new ApiProblem('bad_query', 'enter a token to see its transfers of at least an amount');
  const address = parseAddress(token, 'token');
  const decimals = (await readTokenNames(deps, [address])).get(address)?.decimals ?? null;
  return readLeast(query, isInSmallestUnit(decimals) ? 0 : decimals);
}
