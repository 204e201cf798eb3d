import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { canonicalId } from '#registry/entity-id.ts';
import { type DerivedKind, type RegistryKind, registryKinds } from '#registry/kinds.ts';
import { known } from '#runtime/known.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { type FigureDeps, readClosedTotals } from '../../read/chain/figures.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import { keyedPageOf, pinnedHead } from '../../read/chain/paging.ts';
import type { ChainDeps, ListDeps } from '../../read/reader-deps.ts';
import { derivedEntity, entityOf, KindQuery, noManifest, RegistryEntity } from '../../read/registry/entity.ts';
import { Provenance, type SourceDeps } from '../../read/registry/source-reader.ts';
import { type CursorKey, damaged, decodeCursor } from '../../terms/cursor.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Cursor, Limit, listOf } from '../../terms/primitives.ts';

/** What a walk goes through, in this order. */
const stages = ['manifest', 'wallet', 'contract'] as const;
type Stage = (typeof stages)[number];

type Entity = z.input<typeof RegistryEntity>;

/** Place in a walk: stage, and the last entity (manifest) or address (wallet, contract) of it that was sent. */
interface Place {
  readonly stage: Stage;
  readonly kind: RegistryKind | undefined;
  /** 64 or 40 hex digits. */
  readonly at: string;
}

const startOf = (stage: Stage): Place => ({ stage, kind: undefined, at: '0'.repeat(stage === 'manifest' ? 64 : 40) });

/** @source specification 4.7 */
export const listRegistryStrings = defineRoute({
  id: 'listRegistryStrings',
  base: '/api/v1',
  path: '/registry/strings',
  methods: ['get'],
  tag: 'registry',
  summary:
    'Strings, that is entities, of one kind or all: those of the manifest by kind and id, then wallets and contracts that the index alone knows, by address',
  section: '4.7',
  params: z.object({}),
  query: z.object({ kind: KindQuery.optional(), limit: Limit, cursor: Cursor.optional() }),
  response: listOf(RegistryEntity).extend({ provenance: Provenance.nullable() }),
  errors: ['bad_query', 'invalid_kind', 'invalid_cursor', 'snapshot_invalidated', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/registry/strings?kind=wallet&limit=2',
  handle: (deps: ListDeps & SourceDeps & Walk['deps'], { query: { kind, limit, cursor } }) => {
    const filter = deps.cursors(['registry strings', kind ?? '']);
    const decoded = cursor === undefined ? undefined : decodeCursor(filter, cursor);
    return deps.snapshots.run(async (state) => {
      const source = await deps.sources.current('registry_manifest');
      const manifest = source?.sha256 ?? noManifest;
      const start = decoded ? placeOf(decoded.key, manifest) : startOf('manifest');
      const pin = await pinnedHead(deps, state, decoded?.pin);
      const rows = await readFrom({ deps, state: { ...state, head: pin.head }, manifest, kind }, start, limit + 1);
      const key = (row: Entity): CursorKey => {
        if (row.source === 'manifest') return ['manifest', manifest, row.kind, hexDigits(row.id)];
        return [row.kind, manifest, row.kind, hexDigits(known(row.address, 'the address of a wallet or contract'))];
      };
      const { page: items, ...more } = keyedPageOf(rows, filter, limit, key, pin);
      const provenance = deps.sources.provenanceOf('registry_manifest', source);
      return { items, ...more, limit, index: indexInfo(deps, state), provenance };
    });
  },
});

/** @throws ApiProblem snapshot_invalidated where another manifest has come since */
function placeOf([stage, manifest, kind, at]: CursorKey, current: string): Place {
  const known = stages.find((name) => name === stage);
  const ofKind = registryKinds.find((name) => name === kind);
  if (!known || !ofKind || !new RegExp(`^[0-9a-f]{${known === 'manifest' ? 64 : 40}}$`).test(String(at)))
    throw damaged();
  if (manifest !== current)
    throw new ApiProblem(
      'snapshot_invalidated',
      'a newer manifest took the place of the one that this walk was reading; begin again',
    );
  return { stage: known, kind: ofKind, at: String(at) };
}

interface Walk {
  readonly deps: FigureDeps & ChainDeps;
  readonly state: ChainState;
  readonly manifest: string;
  readonly kind: RegistryKind | undefined;
}

/** At most `wanted` entities behind a place, over the stages that follow. */
async function readFrom(walk: Walk, start: Place, wanted: number): Promise<Entity[]> {
  const rows: Entity[] = [];
  for (const stage of stages.slice(stages.indexOf(start.stage))) {
    if (rows.length === wanted) break;
    if (stage !== 'manifest' && walk.kind !== undefined && walk.kind !== stage) continue;
    const place = stage === start.stage ? start : startOf(stage);
    rows.push(...(await readStage(walk, place, wanted - rows.length)));
  }
  return rows;
}

async function readStage(walk: Walk, place: Place, limit: number): Promise<Entity[]> {
  if (place.stage !== 'manifest') return readDerived(walk, place.stage, place.at, limit);
  const { deps, manifest, kind } = walk;
  const rows = await deps.database.read('registry_entities_after', {
    manifest,
    kind: kind ?? '',
    limit,
    at_id: place.at,
    at_kind: place.kind === undefined ? 0 : registryKinds.indexOf(place.kind) + 1,
  });
  return rows.map(entityOf);
}

const derivedAfter = { wallet: 'registry_wallets_after', contract: 'registry_contracts_after' } as const;

/** Wallets or contracts of the index that the manifest does not list. */
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
