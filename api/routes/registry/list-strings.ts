import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { canonicalId } from '#registry/entity-id.ts';
import { type DerivedKind, type RegistryKind, registryKinds } from '#registry/kinds.ts';
import { known } from '#runtime/known.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { type FigureDeps, readClosedTotals } from '../../read/chain/figures.ts';
import { genesisIndexInfo } from '../../read/chain/freshness.ts';
import { makeKeyedPage, pinnedHead } from '../../read/chain/paging.ts';
import type { ChainDeps, ListDeps } from '../../read/reader-deps.ts';
import { derivedEntity, KindQuery, noManifest, RegistryEntity, serializeEntity } from '../../read/registry/entity.ts';
import { Provenance, type SourceDeps } from '../../read/registry/source-reader.ts';
import { type CursorKey, damaged, decodeCursor } from '../../terms/cursor.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { pageParameters, toListSchema } from '../../terms/primitives.ts';

/** Order of the list: entities of the manifest (file of named entities), then other wallets, then other contracts. */
const stages = ['manifest', 'wallet', 'contract'] as const;
type Stage = (typeof stages)[number];

type Entity = z.input<typeof RegistryEntity>;

interface ListPosition {
  readonly stage: Stage;
  readonly kind: RegistryKind | undefined;
  readonly at: string;
}

const startOfStage = (stage: Stage): ListPosition => ({
  stage,
  kind: undefined,
  at: '0'.repeat(stage === 'manifest' ? 64 : 40),
});

/** @source docs/registry.md#manifest */
export const listRegistryStrings = defineRoute({
  id: 'listRegistryStrings',
  base: '/api/v1',
  path: '/registry/strings',
  methods: ['get'],
  tag: 'registry',
  summary: 'List of strings (registry entities)',
  description:
    'Entities of the registry manifest come first, by kind and id. Other indexed wallets and contracts follow, by address.',
  params: z.object({}),
  query: z.object({ kind: KindQuery.optional(), ...pageParameters }),
  response: toListSchema(RegistryEntity).extend({ provenance: Provenance.nullable() }),
  errors: ['bad_query', 'invalid_kind', 'invalid_cursor', 'snapshot_invalidated', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/registry/strings?kind=wallet&limit=2',
  handle: (deps: ListDeps & SourceDeps & Walk['deps'], { query: { kind, limit, cursor } }) => {
    const filter = deps.cursors(['registry strings', kind ?? '']);
    const decoded = cursor === undefined ? undefined : decodeCursor(filter, cursor);
    return deps.snapshots.run(async (state) => {
      const source = await deps.sources.current('registry_manifest');
      const manifest = source?.sha256 ?? noManifest;
      const start = decoded ? parsePosition(decoded.key, manifest) : startOfStage('manifest');
      const pin = await pinnedHead(deps, state, decoded?.pin);
      const rows = await readFrom({ deps, state: { ...state, head: pin.head }, manifest, kind }, start, limit + 1);
      const key = (row: Entity): CursorKey => {
        if (row.source === 'manifest') return ['manifest', manifest, row.kind, hexDigits(row.id)];
        return [row.kind, manifest, row.kind, hexDigits(known(row.address, 'address of a wallet or contract'))];
      };
      const { page: items, ...more } = makeKeyedPage(rows, filter, limit, key, pin);
      const provenance = deps.sources.getProvenance('registry_manifest', source);
      return { items, ...more, limit, index: genesisIndexInfo(deps, state, pin), provenance };
    });
  },
});

function parsePosition([stage, manifest, kind, at]: CursorKey, current: string): ListPosition {
  const known = stages.find((name) => name === stage);
  const ofKind = registryKinds.find((name) => name === kind);
  if (!known || !ofKind || !new RegExp(`^[0-9a-f]{${known === 'manifest' ? 64 : 40}}$`).test(String(at)))
    throw damaged();
  if (manifest !== current)
    throw new ApiProblem('snapshot_invalidated', 'the registry manifest changed; restart from the first page');
  return { stage: known, kind: ofKind, at: String(at) };
}

interface Walk {
  readonly deps: FigureDeps & ChainDeps;
  readonly state: ChainState;
  readonly manifest: string;
  readonly kind: RegistryKind | undefined;
}

async function readFrom(walk: Walk, start: ListPosition, wanted: number): Promise<Entity[]> {
  const rows: Entity[] = [];
  for (const stage of stages.slice(stages.indexOf(start.stage))) {
    if (rows.length === wanted) break;
    if (stage !== 'manifest' && walk.kind !== undefined && walk.kind !== stage) continue;
    const position = stage === start.stage ? start : startOfStage(stage);
    rows.push(...(await readStage(walk, position, wanted - rows.length)));
  }
  return rows;
}

async function readStage(walk: Walk, position: ListPosition, limit: number): Promise<Entity[]> {
  if (position.stage !== 'manifest') return readDerived(walk, position.stage, position.at, limit);
  const { deps, manifest, kind } = walk;
  const rows = await deps.database.read('registry_entities_after', {
    manifest,
    kind: kind ?? '',
    limit,
    at_id: position.at,
    at_kind: position.kind === undefined ? 0 : registryKinds.indexOf(position.kind) + 1,
  });
  return rows.map(serializeEntity);
}

const derivedAfter = { wallet: 'registry_wallets_after', contract: 'registry_contracts_after' } as const;

async function readDerived(walk: Walk, kind: DerivedKind, after: string, limit: number): Promise<Entity[]> {
  const { deps, state, manifest } = walk;
  const { chainId } = deps.settings;
  const from_block = kind === 'wallet' ? Number((await readClosedTotals(deps, state)).live_from) : 0;
  const rows = await deps.database.read(derivedAfter[kind], {
    ...snapshotParameters(state),
    from_block,
    manifest,
    after,
    limit,
  });
  return rows.map(({ address_hex: address }) => derivedEntity(canonicalId({ kind, chainId, address }), kind, address));
}
