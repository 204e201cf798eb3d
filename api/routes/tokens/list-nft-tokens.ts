import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { eraParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import { type CursorKey, damaged, decodeCursor } from '../../cursor.ts';
import { defineRoute } from '../../define-route.ts';
import { absent, indexInfo } from '../../freshness.ts';
import { Address, Count, Cursor, HexAddress, HexHash, Limit, listOf } from '../../schema/primitives.ts';
import { keyedPageOf } from '../paging.ts';
import { requireToken } from './token.ts';

const NftToken = z
  .strictObject({
    tokenId: z.string(),
    owner: HexAddress,
    amount: z.string().meta({ description: '1 for ERC-721' }),
    mintBlock: Count.nullable(),
    mintTx: HexHash.nullable(),
  })
  .meta({ id: 'NftToken' });

interface NftRecord {
  id: string;
  owner: string;
  amount: string;
  mint_block: string;
  mint_tx: string | null;
}

/** @source specification 4.5 */
export const listNftTokens = defineRoute({
  id: 'listNftTokens',
  base: '/api/v1',
  path: '/nfts/:address/tokens',
  methods: ['get'],
  tag: 'tokens',
  summary: 'Inventory of an NFT contract: every token id with its owner, by id',
  section: '4.5',
  params: z.object({ address: Address }),
  query: z.object({ limit: Limit, cursor: Cursor.optional() }),
  response: listOf(NftToken),
  errors: ['bad_query', 'invalid_cursor', 'not_found', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/nfts/{nft}/tokens?limit=2',
  handle: (deps, { params: { address }, query: { limit, cursor } }) => {
    const filter = deps.cursors(['nfts', address]);
    const start = cursor === undefined ? { at_id: '0', at_holder: '' } : startOf(decodeCursor(filter, cursor).key);
    return deps.snapshots.run(async (state) => {
      const token = await requireToken(deps, state, address);
      if (token.standard === 'erc20') throw absent(deps, state, `NFT contract ${address}`);
      const rows = await deps.database.read<NftRecord>(getStatement(deps.statements, 'nft_inventory'), {
        ...eraParameters(state),
        ...start,
        ...{ token: hexDigits(address), limit: limit + 1 },
      });
      const { page, ...more } = keyedPageOf(rows, filter, limit, (row) => [row.id, hexDigits(row.owner)]);
      const items = page.map((row) => ({
        ...{ tokenId: row.id, owner: row.owner, amount: row.amount },
        ...{ mintBlock: row.mint_tx === null ? null : Number(row.mint_block), mintTx: row.mint_tx },
      }));
      return { items, ...more, limit, index: indexInfo(deps, state) };
    });
  },
});

function startOf([id, holder]: CursorKey) {
  if (!/^\d{1,78}$/.test(String(id)) || !/^[0-9a-f]{40}$/.test(String(holder))) throw damaged();
  return { at_id: String(id), at_holder: String(holder) };
}
