import { hexDigits } from '#chain/codec/hex.ts';
import { standardCode } from '#chain/codec/token-abi.ts';
import type { SnapshotDeps } from '../../read/reader-deps.ts';
import type { TokenStandards } from '../../read/tokens/token-standards.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { parseAddress } from '../../terms/parse-address.ts';
import { type FilterField, readLeast } from './filters.ts';
import { isInSmallestUnit } from './number.ts';

export const leastField: FilterField = { name: 'least', label: 'At least', placeholder: 'tokens', sets: ['minValue'] };

export interface FilterDeps extends SnapshotDeps {
  readonly tokenStandards: TokenStandards;
}

/** Like readLeast(), for a token amount in the unit that pages show. @throws ApiProblem bad_query */
export async function readLeastTokens(
  { snapshots, tokenStandards }: FilterDeps,
  query: URLSearchParams,
  token: string | undefined,
): Promise<ReturnType<typeof readLeast>> {
  if (!query.get('least')?.trim()) return {};
  if (token === undefined)
    throw new ApiProblem('bad_query', 'enter a token to see its transfers of at least an amount');
  const address = parseAddress(token, 'token');
  const state = await snapshots.current();
  const known = state && (await tokenStandards.of(state, [hexDigits(address)])).get(hexDigits(address));
  const isFungible = known?.standard_code === standardCode('erc20');
  const decimals = isFungible ? known.decimals : 0; // pages show whole NFT amounts
  return readLeast(query, isInSmallestUnit(decimals) ? 0 : decimals);
}
