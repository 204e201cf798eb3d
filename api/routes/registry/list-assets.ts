import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { registryKinds } from '#registry/kinds.ts';
import { type ChainState, rollupParameters } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { genesisIndexInfo } from '../../read/chain/freshness.ts';
import { makeKeyedPage } from '../../read/chain/paging.ts';
import type { ChainDeps, ListDeps, StoreDeps } from '../../read/reader-deps.ts';
import { noManifest, RegistryEntity, serializeEntity } from '../../read/registry/entity.ts';
import { Provenance, type SourceDeps } from '../../read/registry/source-reader.ts';
import { damaged, decodeCursor } from '../../terms/cursor.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { pageParameters, toListSchema } from '../../terms/primitives.ts';
import type { TokenRecord } from '../../terms/records.ts';
import { Token, toToken } from '../tokens/token.ts';

const TokenizedAsset = RegistryEntity.extend({
  token: Token.nullable().meta({
    description: 'Token contract of the asset; null if no token transfers are indexed for it',
  }),
}).meta({ id: 'TokenizedAsset' });

/** @source docs/registry.md#manifest */
export const listTokenizedAssets = defineRoute({
  id: 'listTokenizedAssets',
  base: '/api/v1',
  path: '/tokenized/assets',
  methods: ['get'],
  tag: 'registry',
  summary: 'Tokenized assets that the registry manifest lists',
  description:
    'The assets are sorted by id. Each asset has the supply and the number of holders of its token contract.',
  params: z.object({}),
  query: z.object(pageParameters),
  response: toListSchema(TokenizedAsset).extend({ provenance: Provenance.nullable() }),
  errors: ['bad_query', 'invalid_cursor', 'snapshot_invalidated', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/tokenized/assets?limit=2',
  handle: (deps: ListDeps & SourceDeps & ChainDeps, { query: { limit, cursor } }) => {
    const filter = deps.cursors(['tokenized assets']);
    const [at, of] = cursor === undefined ? [] : decodeCursor(filter, cursor).key;
    if (at !== undefined && !/^[0-9a-f]{64}$/.test(String(at))) throw damaged();
    return deps.snapshots.run(async (state) => {
      const source = await deps.sources.current('registry_manifest');
      const manifest = source?.sha256 ?? noManifest;
      if (of !== undefined && of !== manifest)
        throw new ApiProblem('snapshot_invalidated', 'the registry manifest changed; restart from the first page');
      const rows = await deps.database.read('registry_entities_after', {
        manifest,
        kind: 'asset',
        at_kind: at === undefined ? 0 : registryKinds.indexOf('asset') + 1,
        at_id: at === undefined ? noManifest : String(at),
        limit: limit + 1,
      });
      const { page, ...more } = makeKeyedPage(rows, filter, limit, (row) => [hexDigits(row.id_hex), manifest]);
      const tokens = await readTokens(
        deps,
        state,
        page.flatMap((row) => row.address_hex ?? []),
      );
      const items = page.map((row) => {
        const token = row.address_hex === null ? undefined : tokens.get(row.address_hex);
        return { ...serializeEntity(row), token: token ? toToken(deps.settings.chainId, token) : null };
      });
      const provenance = deps.sources.getProvenance('registry_manifest', source);
      return { items, ...more, limit, index: genesisIndexInfo(deps, state), provenance };
    });
  },
});

async function readTokens({ database }: StoreDeps, state: ChainState, addresses: readonly string[]) {
  if (addresses.length === 0) return new Map<string, TokenRecord>();
  const rows = await database.read('tokens_by_addresses', {
    ...rollupParameters(state),
    addresses: addresses.map(hexDigits),
  });
  return new Map(rows.map((row) => [row.address, row]));
}
