import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { known } from '#runtime/known.ts';
import { defineRoute } from '../../http/define-route.ts';
import type { ContractReader } from '../../read/accounts/contract-reader.ts';
import { type HoldDeps, readAcquisitionBlocks, readNfts } from '../../read/accounts/holdings.ts';
import { genesisIndexInfo } from '../../read/chain/freshness.ts';
import { makeKeyedPage } from '../../read/chain/paging.ts';
import type { ChainDeps, ListDeps } from '../../read/reader-deps.ts';
import { type CursorKey, damaged, decodeCursor } from '../../terms/cursor.ts';
import { orUnknown } from '../../terms/errors.ts';
import { Count, HexAddress, pageParameters, toListSchema } from '../../terms/primitives.ts';
import { MetadataSummary, type NftDeps, NftStandard, summarize } from '../tokens/nft-token.ts';
import { AccountId } from './account-id.ts';

const NftHolding = z
  .strictObject({
    chainId: Count,
    contract: HexAddress,
    name: z.string().nullable(),
    symbol: z.string().nullable(),
    tokenId: z.string(),
    acquiredBlock: Count.meta({ description: 'Block in which the account received the token' }),
    standard: NftStandard,
    amount: z.string().meta({ description: 'Number of tokens with this id; 1 for ERC-721' }),
    metadata: MetadataSummary,
    tokenURI: z.string().nullable().meta({
      description:
        'URI of the token metadata, as returned by tokenURI() or uri(); null if the contract returns none or no node answers',
    }),
  })
  .meta({ id: 'NftHolding' });

type AccountNftDeps = ListDeps & HoldDeps & NftDeps & ChainDeps & { readonly contracts: ContractReader };

export const listAccountNfts = defineRoute({
  id: 'listAccountNfts',
  base: '/api/v1',
  path: '/accounts/:address/nfts',
  methods: ['get'],
  tag: 'accounts',
  summary: 'NFTs owned by one account',
  description: 'The tokens are sorted by contract address and token id.',
  params: z.object({ address: AccountId }),
  query: z.object({
    standard: NftStandard.default('erc721').meta({ description: 'Standard of the tokens (default erc721)' }),
    ...pageParameters,
  }),
  response: toListSchema(NftHolding),
  errors: ['bad_query', 'use_registry_entity', 'invalid_cursor', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/accounts/{account}/nfts?limit=2',
  handle: (deps: AccountNftDeps, { params: { address }, query: { standard, limit, cursor } }) => {
    const filter = deps.cursors(['account nfts', address, ...(standard === 'erc721' ? [] : [standard])]);
    const after = cursor === undefined ? { token: '', id: '0' } : readStart(decodeCursor(filter, cursor).key);
    return deps.snapshots.run(async (state) => {
      const rows = await readNfts(deps, state, address, { standard, after, limit: limit + 1 });
      const { page, ...more } = makeKeyedPage(rows, filter, limit, (row) => [hexDigits(row.token_hex), row.id]);
      const [blocks, tokens, metadata] = await Promise.all([
        readAcquisitionBlocks(deps, state, address, standard, page),
        Promise.all(
          page.map(async (row) => ({
            ...row,
            tokenURI: await orUnknown(deps.contracts.tokenUri(row.token_hex, row.id, standard, state.head)),
          })),
        ),
        deps.nftMetadata.of(page.map((row) => ({ contract: row.token_hex, tokenId: row.id, standard }))),
      ]);
      const items = tokens.map(({ token_hex: contract, name, symbol, id: tokenId, amount, tokenURI }, i) => ({
        chainId: deps.settings.chainId,
        contract,
        name,
        symbol,
        tokenId,
        standard,
        amount,
        metadata: summarize(known(metadata[i], 'metadata')),
        acquiredBlock: known(blocks[i], 'block of an acquisition'),
        tokenURI,
      }));
      return { items, ...more, limit, index: genesisIndexInfo(deps, state) };
    });
  },
});

function readStart([token, id]: CursorKey) {
  if (!/^[0-9a-f]{40}$/.test(String(token)) || !/^\d{1,78}$/.test(String(id))) throw damaged();
  return { token: String(token), id: String(id) };
}
