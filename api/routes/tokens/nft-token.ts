/** @source docs/contracts.md#nft-metadata */
import { z } from 'zod';
import { hexDigits, maxUint256 } from '#chain/codec/hex.ts';
import { standardCode } from '#chain/codec/token-abi.ts';
import { known } from '#runtime/known.ts';
import { type ChainState, rollupParameters } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { absent, indexInfo } from '../../read/chain/freshness.ts';
import type { StateDeps } from '../../read/reader-deps.ts';
import { requireToken, type TokenDeps } from '../../read/tokens/find-token.ts';
import type { NftMetadata, NftMetadataReader } from '../../read/tokens/nft-metadata.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Address, HexAddress, IndexInfo, IsoTime } from '../../terms/primitives.ts';

export const NftStandard = z.enum(['erc721', 'erc1155'], 'must be erc721 or erc1155');
export const TokenId = z
  .string()
  .regex(/^\d{1,78}$/, { error: 'must be a token id (decimal integer)', abort: true })
  .refine((id) => BigInt(id) <= maxUint256, 'must be a token id below 2^256')
  .transform((id) => String(BigInt(id))); // removes leading zeros

const Metadata = z
  .strictObject({
    state: z.enum(['found', 'pending', 'none', 'failed', 'off']).meta({
      description:
        'pending: the metadata is being fetched, ask again in some seconds; none: the contract returns no URI; failed: see error; off: this service fetches no metadata',
    }),
    uri: z.string().nullable(),
    name: z.string().nullable(),
    description: z.string().nullable(),
    traits: z.array(z.strictObject({ name: z.string(), value: z.string() })),
    pictureUri: z.string().nullable().meta({ description: 'URI of the picture in the metadata' }),
    picture: z
      .string()
      .nullable()
      .meta({ description: 'URL path of the copy of the picture that this service stores' }),
    error: z.string().nullable(),
    fetchedAt: IsoTime.nullable(),
  })
  .meta({ id: 'NftMetadata' });

export const MetadataSummary = z
  .strictObject({ state: Metadata.shape.state, name: z.string().nullable(), picture: z.string().nullable() })
  .meta({ id: 'NftMetadataSummary' });

export const summarize = ({ state, name, picture }: NftMetadata) => ({ state, name, picture });

export interface NftDeps {
  readonly nftMetadata: NftMetadataReader;
}

/** Returns the NFT standard to show for a contract. @throws ApiProblem not_found */
export async function resolveStandard(
  deps: StateDeps & TokenDeps,
  state: ChainState,
  address: string,
  requested: z.output<typeof NftStandard> | undefined,
): Promise<z.output<typeof NftStandard>> {
  const token = await requireToken(deps, state, address);
  const { seenCodes } = known(await deps.tokenLedger.of(state, address), 'ledger of a token');
  const seen = NftStandard.options.filter((each) => seenCodes.includes(standardCode(each)));
  const own = token.standard === 'erc20' ? undefined : token.standard;
  const shown = requested ?? seen.find((each) => each === own) ?? seen[0] ?? own;
  if (shown === undefined || !(seen.includes(shown) || shown === own))
    throw absent(deps, state, `${requested ?? 'NFT'} contract ${address}`);
  return shown;
}

/** Returns the standard of the events that moved a token id. @throws ApiProblem not_found if none moved it */
async function standardOfId(deps: StateDeps & TokenDeps, state: ChainState, address: string, tokenId: string) {
  const shown = await resolveStandard(deps, state, address, undefined);
  if (state.startBlock > 0) return shown; // earlier blocks may have moved it
  for (const standard of [shown, ...NftStandard.options.filter((each) => each !== shown)]) {
    const asked = { token: hexDigits(address), standard, id: tokenId };
    const moved = await deps.database.read('nft_moved', { ...rollupParameters(state), ...asked });
    if (moved.length > 0) return standard;
  }
  throw absent(deps, state, `token ${tokenId} of ${address}`);
}

const params = z.object({ address: Address, tokenId: TokenId });

export const getNftToken = defineRoute({
  id: 'getNftToken',
  base: '/api/v1',
  path: '/nfts/:address/tokens/:tokenId',
  methods: ['get'],
  tag: 'tokens',
  summary: 'Metadata of one NFT: name, traits and picture',
  description:
    'The pipeline fetches the metadata when it is requested for the first time, and again after a week. Owners: /nfts/{address}/tokens?tokenId=.',
  params,
  query: z.object({}),
  response: z
    .strictObject({
      contract: HexAddress,
      tokenId: z.string(),
      standard: NftStandard,
      metadata: Metadata,
      index: IndexInfo,
    })
    .meta({ id: 'NftInstance' }),
  errors: ['bad_query', 'not_found', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/nfts/{nft}/tokens/1',
  handle: (deps: StateDeps & TokenDeps & NftDeps, { params: { address, tokenId } }) =>
    deps.snapshots.run(async (state) => {
      const standard = await standardOfId(deps, state, address, tokenId);
      const [found] = await deps.nftMetadata.of([{ contract: address, tokenId, standard }]);
      const metadata = known(found, 'metadata');
      return {
        ...{ contract: address, tokenId, standard },
        metadata: { ...metadata, traits: [...metadata.traits] },
        index: indexInfo(deps, state),
      };
    }),
});

/** Blocks scripts and external content, because anyone can publish a picture. */
const pictureHeaders = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
  'Cache-Control': 'public, max-age=3600',
};

export const getNftPicture = defineRoute({
  id: 'getNftPicture',
  base: '/api/v1',
  path: '/nfts/:address/tokens/:tokenId/picture',
  methods: ['get'],
  tag: 'tokens',
  summary: 'Picture of one NFT, as stored by this service',
  description:
    'PNG, JPEG, GIF, WebP, AVIF or SVG, at most 1 MiB. The path is in the metadata of the token; 404 if the service has no picture.',
  params,
  query: z.object({}),
  response: z.unknown(),
  errors: ['bad_query', 'not_found', 'store_unavailable'],
  maxAgeSeconds: 0,
  mediaTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml'],
  example: '/nfts/{nft}/tokens/1/picture',
  handle: async ({ nftMetadata }: NftDeps, { params: { address, tokenId } }) => {
    const picture = await nftMetadata.picture({ contract: address, tokenId });
    if (!picture) throw new ApiProblem('not_found', `no picture of token ${tokenId} of ${address} is stored`);
    return new OtherReply(picture.type, picture.content, pictureHeaders);
  },
});
