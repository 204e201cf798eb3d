import { z } from 'zod';
import { type RegistryKind, registryKinds } from '#registry/kinds.ts';
import { defineRoute } from '../../http/define-route.ts';
import { genesisIndexInfo } from '../../read/chain/freshness.ts';
import type { CoverageDeps, SnapshotDeps, StoreDeps } from '../../read/reader-deps.ts';
import { noManifest } from '../../read/registry/entity.ts';
import { type IndexCountDeps, readIndexCounts } from '../../read/registry/index-counts.ts';
import { Provenance, type SourceDeps } from '../../read/registry/source-reader.ts';
import { Count, IndexInfo } from '../../terms/primitives.ts';

const Counts = z.strictObject(Object.fromEntries(registryKinds.map((kind) => [kind, Count])));

const RegistryStats = z
  .strictObject({
    canon: z.string(),
    counts: Counts.meta({
      description:
        'Number of registry entities by kind: entities of the registry manifest, and indexed wallets and contracts',
    }),
    total: Count,
    manifestCounts: Counts.meta({ description: 'Number of entities that the registry manifest lists, by kind' }),
    indexCounts: z.strictObject({ wallet: Count, contract: Count }).meta({
      description:
        'Number of indexed addresses that sent a transaction, plus the number of contracts created by transactions',
    }),
    inBoth: z.strictObject({ wallet: Count, contract: Count }).meta({
      description:
        'Number of entities that are both indexed and listed in the registry manifest; the field `counts` counts each of them once',
    }),
    invariant: z.strictObject({
      rule: z.string(),
      expected: Count,
      actual: Count,
      holds: z.boolean(),
    }),
    provenance: Provenance.nullable(),
    index: IndexInfo,
  })
  .meta({ id: 'RegistryStats' });

const rule =
  'entities declared by the manifest + wallets and contracts of the index − those in both = sum of registry entities by kind';

/** @source docs/registry.md#manifest */
export const getRegistryStats = defineRoute({
  id: 'getRegistryStats',
  base: '/api/v1',
  path: '/registry/stats',
  methods: ['get'],
  tag: 'registry',
  summary: 'Number of strings (registry entities) by kind',
  description: 'The reply also compares the counts with the registry manifest and with the index.',
  params: z.object({}),
  query: z.object({}),
  response: RegistryStats,
  errors: ['indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/registry/stats',
  handle: (deps: SnapshotDeps & SourceDeps & IndexCountDeps & CoverageDeps) =>
    deps.snapshots.run(async (state) => {
      const source = await deps.sources.current('registry_manifest');
      const manifest = source?.sha256 ?? noManifest;
      const [stored, index] = await Promise.all([readStored(deps, manifest), readIndexCounts(deps, state, manifest)]);
      const counts = { ...stored };
      for (const kind of ['wallet', 'contract'] as const) counts[kind] += index.counts[kind] - index.inBoth[kind];
      const total = registryKinds.reduce((sum, kind) => sum + counts[kind], 0);
      const { wallet, contract } = index.counts;
      const expected = (source?.entries ?? 0) + wallet + contract - index.inBoth.wallet - index.inBoth.contract;
      return {
        canon: '1.2',
        counts,
        total,
        manifestCounts: stored,
        indexCounts: index.counts,
        inBoth: index.inBoth,
        invariant: { rule, expected, actual: total, holds: expected === total },
        provenance: deps.sources.getProvenance('registry_manifest', source),
        index: genesisIndexInfo(deps, state),
      };
    }),
});

async function readStored({ database }: StoreDeps, manifest: string): Promise<Record<RegistryKind, number>> {
  const rows = await database.read('registry_kind_counts', { manifest });
  const counts = Object.fromEntries(registryKinds.map((kind) => [kind, 0])) as Record<RegistryKind, number>;
  for (const { kind, entities } of rows) counts[kind] = Number(entities);
  return counts;
}
