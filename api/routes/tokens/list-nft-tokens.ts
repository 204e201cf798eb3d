import { z } from 'zod';
import { hexDigits, maxUint256 } from '#chain/codec/hex.ts';
import { known } from '#runtime/known.ts';
import { rollupParameters } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { genesisIndexInfo } from '../../read/chain/freshness.ts';
import { makeKeyedPage } from '../../read/chain/paging.ts';
import type { ChainDeps, ListDeps, StateDeps } from '../../read/reader-deps.ts';
import type { TokenDeps } from '../../read/tokens/find-token.ts';
import { type CursorKey, damaged, decodeCursor } from '../../terms/cursor.ts';
import { Address, Count, HexAddress, HexHash, pageParameters, toListSchema } from '../../terms/primitives.ts';
import { MetadataSummary, type NftDeps, NftStandard, resolveStandard, summarize, TokenId } from './nft-token.ts';

const NftToken = z
  .strictObject({
    chainId: Count,
    tokenId: z.string(),
    owner: HexAddress,
    amount: z.string().meta({ description: 'Number of tokens with this id held by the owner; 1 for ERC-721' }),
    mintBlock: Count.nullable(),
    mintTx: HexHash.nullable(),
    metadata: MetadataSummary,
  })
  .meta({ id: 'NftToken' });

export const listNftTokens = defineRoute({
  id: 'listNftTokens',
  base: '/api/v1',
  path: '/nfts/:address/tokens',
  methods: ['get'],
  tag: 'tokens',
  summary: 'Tokens of an NFT contract with their owners',
  description: 'The tokens are sorted by token id.',
  params: z.object({ address: Address }),
  query: z.object({
    standard: NftStandard.optional().meta({
      description:
        'Return only tokens of this standard. Needed for contracts that implement ERC-721 and ERC-1155 (default: the standard that /tokens/{address} returns, else erc721)',
    }),
    tokenId: TokenId.optional().meta({ description: 'Return only the holders of this token id' }),
    ...pageParameters,
  }),
  response: toListSchema(NftToken),
  errors: ['bad_query', 'invalid_cursor', 'not_found', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/nfts/{nft}/tokens?limit=2',
  handle: (
    deps: ListDeps & StateDeps & TokenDeps & NftDeps & ChainDeps,
    { params: { address }, query: { standard, tokenId, limit, cursor } },
  ) => {
    const filter = deps.cursors(['nfts', address, ...[standard, tokenId].flatMap((part) => part ?? [])]);
    const start =
      cursor === undefined ? { at_id: tokenId ?? '0', at_holder: '' } : parsePosition(decodeCursor(filter, cursor).key);
    return deps.snapshots.run(async (state) => {
      const shown = await resolveStandard(deps, state, address, standard);
      const rows = await deps.database.read('nft_inventory', {
        ...rollupParameters(state),
        ...start,
        token: hexDigits(address),
        standard: shown,
        to_id: tokenId ?? String(maxUint256),
        limit: limit + 1,
      });
      const { page, ...more } = makeKeyedPage(rows, filter, limit, (row) => [row.id, hexDigits(row.owner)]);
      const metadata = await deps.nftMetadata.of(
        page.map(({ id }) => ({ contract: address, tokenId: id, standard: shown })),
      );
      const items = page.map((row, i) => ({
        chainId: deps.settings.chainId,
        tokenId: row.id,
        owner: row.owner,
        amount: row.amount,
        mintBlock: row.mint_tx === null ? null : Number(row.mint_block),
        mintTx: row.mint_tx,
        metadata: summarize(known(metadata[i], 'metadata')),
      }));
      return { items, ...more, limit, index: genesisIndexInfo(deps, state) };
    });
  },
});

function parsePosition([id, holder]: CursorKey) {
  if (!/^\d{1,78}$/.test(String(id)) || !/^[0-9a-f]{40}$/.test(String(holder))) throw damaged();
  return { at_id: String(id), at_holder: String(holder) };
}
