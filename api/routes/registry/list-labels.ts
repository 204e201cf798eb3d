import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { isoTimeFromMs } from '#chain/codec/iso-time.ts';
import { canonVersion, registryKinds } from '#registry/kinds.ts';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { KindQuery, noManifest } from '../../read/registry/entity.ts';
import type { LabelMaps } from '../../read/registry/label-maps.ts';
import type { SourceDeps } from '../../read/registry/source-reader.ts';
import { Count, HexAddress, HexHash, IsoTime } from '../../terms/primitives.ts';

export const LabelMapReply = z
  .strictObject({
    canon: z.literal(canonVersion),
    kind: z.enum(registryKinds).nullable().meta({
      description: 'Requested kind of entity: the reply has only labels of this kind; null: labels of all kinds',
    }),
    manifest: z
      .strictObject({ source: z.string(), sha256: HexHash, version: z.string(), asOf: IsoTime })
      .nullable()
      .meta({
        description:
          'Registry manifest that contains the labels; null if none has been imported yet. /registry/stats returns its age',
      }),
    count: Count,
    labels: z.record(
      HexHash,
      z.strictObject({
        label: z.string(),
        kind: z.enum(registryKinds),
        address: HexAddress.nullable(),
        category: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'LabelMap' });

/** @source docs/registry.md#manifest */
export const listRegistryLabels = defineRoute({
  id: 'listRegistryLabels',
  base: '/api/v1',
  path: '/registry/labels',
  methods: ['get'],
  tag: 'registry',
  summary: 'Labels of all entities that the registry manifest lists',
  description:
    'The labels are sorted by entity id. The parameter `kind` selects labels of one kind. The ETag changes only when the manifest changes.',
  params: z.object({}),
  query: z.object({ kind: KindQuery.optional() }),
  response: LabelMapReply,
  errors: ['invalid_kind', 'store_unavailable'],
  maxAgeSeconds: 5,
  example: '/registry/labels?kind=organization',
  handle: async (
    { sources, labelMaps }: SourceDeps & { readonly labelMaps: LabelMaps },
    { query: { kind }, headers },
  ) => {
    const state = await sources.current('registry_manifest');
    const facts = state?.sha256 === undefined ? undefined : { ...state, sha256: state.sha256 };
    const map = await labelMaps.of(facts?.sha256 ?? noManifest, kind, {
      canon: canonVersion,
      kind: kind ?? null,
      manifest: facts
        ? {
            source: facts.source,
            sha256: `0x${facts.sha256}`,
            version: facts.version,
            asOf: isoTimeFromMs(facts.generatedMs),
          }
        : null,
    });
    const acceptsGzip = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
    const body = acceptsGzip ? map.gzipped : Readable.from([map.gzipped]).pipe(createGunzip());
    const encoding = acceptsGzip ? { 'Content-Encoding': 'gzip' } : {};
    return new OtherReply('application/json', body, { ...encoding, ETag: `"${map.etag}"`, Vary: 'Accept-Encoding' });
  },
});
