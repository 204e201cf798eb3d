import { ApiProblem } from './errors.ts';
import { Address } from './primitives.ts';

/** @throws ApiProblem bad_query, also for a wrong checksum: a mistyped address would receive the coins */
export function parseAddress(text: string, name: string): string {
  const { data, error } = Address.safeParse(text);
  if (data !== undefined) return data;
  throw new ApiProblem('bad_query', `${name} ${error?.issues[0]?.message ?? 'must be an address'}`);
}
