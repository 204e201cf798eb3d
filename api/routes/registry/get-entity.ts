import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { parseCanonicalId } from '#registry/entity-id.ts';
import { registryKinds } from '#registry/kinds.ts';
import { defineRoute } from '../../http/define-route.ts';
import { assertCovered, indexInfo } from '../../read/chain/freshness.ts';
import type { CoverageDeps, SnapshotDeps } from '../../read/reader-deps.ts';
import { noManifest, RegistryEntity } from '../../read/registry/entity.ts';
import { type EntityDeps, findEntity } from '../../read/registry/find-entity.ts';
import { Provenance, type SourceDeps } from '../../read/registry/source-reader.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Count, HexHash, IndexInfo, TxHash } from '../../terms/primitives.ts';

const maxMembers = 200;

/** @source docs/registry.md#manifest */
export const getRegistryEntity = defineRoute({
  id: 'getRegistryEntity',
  base: '/api/v1',
  path: '/registry/entity/:id',
  methods: ['get'],
  tag: 'registry',
  summary: 'One registry entity (wallet, contract or partner) by its 32-byte id',
  description:
    'The entity is listed in the registry manifest (the file of named entities), or is an indexed wallet or contract.',
  params: z.object({ id: TxHash.meta({ description: 'Entity id, 0x and 64 hex digits' }) }),
  query: z.object({}),
  response: RegistryEntity.extend({
    account: z
      .string()
      .nullable()
      .meta({ description: 'API path of the account of this entity; null if the entity has no address' }),
    members: z
      .array(z.strictObject({ id: HexHash, kind: z.enum(registryKinds), label: z.string() }))
      .meta({ description: `First ${maxMembers} entities that belong to this entity` }),
    memberCount: Count,
    provenance: Provenance.nullable(),
    index: IndexInfo,
  }),
  errors: ['bad_query', 'entity_not_found', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/registry/entity/{entity}',
  handle: (deps: SnapshotDeps & SourceDeps & EntityDeps & CoverageDeps, { params: { id } }) =>
    deps.snapshots.run(async (state) => {
      const source = await deps.sources.current('registry_manifest');
      const manifest = source?.sha256 ?? noManifest;
      const readMembers = (of: string) =>
        deps.database.read('registry_children', { manifest, id: hexDigits(of), limit: maxMembers });
      const [entity, members] = await Promise.all([findEntity(deps, state, manifest, id), readMembers(id)]);
      if (!entity) {
        // other ids are only in the manifest, so missing blocks do not matter
        const isOfChain = parseCanonicalId(id)?.chainId === deps.settings.chainId;
        const all = { from: state.startBlock, to: Number.POSITIVE_INFINITY };
        if (isOfChain) assertCovered(deps, state, all, `entity ${id} was not found, but the index is incomplete`);
        throw new ApiProblem('entity_not_found', `${id} is neither in the registry manifest nor in the index`);
      }
      const children = entity.id === id ? members : await readMembers(entity.id);
      return {
        ...entity,
        account: entity.address && `/api/v1/accounts/${entity.address}`,
        members: children.map((row) => ({ id: row.id_hex, kind: row.kind_name, label: row.label })),
        memberCount: Number(children[0]?.total ?? 0),
        provenance: deps.sources.getProvenance('registry_manifest', source),
        index: indexInfo(deps, state),
      };
    }),
});
