import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { eraParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import { type CursorKey, damaged, decodeCursor } from '../../cursor.ts';
import { defineRoute } from '../../define-route.ts';
import { indexInfo } from '../../freshness.ts';
import { Count, Cursor, HexAddress, Limit, listOf } from '../../schema/primitives.ts';
import { keyedPageOf } from '../paging.ts';
import { AccountId } from './account-id.ts';

const NftHolding = z
  .strictObject({
    contract: HexAddress,
    name: z.string().nullable(),
    symbol: z.string().nullable(),
    tokenId: z.string(),
    acquiredBlock: Count,
    tokenURI: z.string().nullable().meta({ description: 'As the contract says; null where it does not say' }),
  })
  .meta({ id: 'NftHolding' });

/** A row of the statement nft_holdings. */
export interface HoldingRecord {
  token_hex: string;
  id: string;
  name: string | null;
  symbol: string | null;
  acquired_block: string;
}

/** @source specification 4.4 */
export const listAccountNfts = defineRoute({
  id: 'listAccountNfts',
  base: '/api/v1',
  path: '/accounts/:address/nfts',
  methods: ['get'],
  tag: 'accounts',
  summary: 'ERC-721 tokens that one account owns, by contract and id',
  section: '4.4',
  params: z.object({ address: AccountId }),
  query: z.object({ limit: Limit, cursor: Cursor.optional() }),
  response: listOf(NftHolding),
  errors: ['bad_query', 'use_registry_entity', 'invalid_cursor', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/accounts/{account}/nfts?limit=2',
  handle: (deps, { params: { address }, query: { limit, cursor } }) => {
    const filter = deps.cursors(['account nfts', address]);
    const start = cursor === undefined ? { at_token: '', at_id: '0' } : startOf(decodeCursor(filter, cursor).key);
    return deps.snapshots.run(async (state) => {
      const rows = await deps.database.read<HoldingRecord>(getStatement(deps.statements, 'nft_holdings'), {
        ...eraParameters(state),
        ...start,
        ...{ address: hexDigits(address), limit: limit + 1 },
      });
      const { page, ...more } = keyedPageOf(rows, filter, limit, (row) => [hexDigits(row.token_hex), row.id]);
      const items = await Promise.all(
        page.map(async ({ token_hex: contract, name, symbol, id: tokenId, acquired_block }) => ({
          ...{ contract, name, symbol, tokenId, acquiredBlock: Number(acquired_block) },
          tokenURI: await deps.contracts.tokenUri(contract, tokenId, state.head),
        })),
      );
      return { items, ...more, limit, index: indexInfo(deps, state) };
    });
  },
});

function startOf([token, id]: CursorKey) {
  if (!/^[0-9a-f]{40}$/.test(String(token)) || !/^\d{1,78}$/.test(String(id))) throw damaged();
  return { at_token: String(token), at_id: String(id) };
}
