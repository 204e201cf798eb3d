import { z } from 'zod';
import { manifestJsonSchema } from '#registry/manifest.ts';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { Provenance, type SourceDeps } from '../../read/registry/source-reader.ts';
import { ApiProblem } from '../../terms/errors.ts';

/** @source docs/registry.md#manifest */
export const getRegistryManifest = defineRoute({
  id: 'getRegistryManifest',
  base: '/api/v1',
  path: '/registry/manifest',
  methods: ['get'],
  tag: 'registry',
  summary: 'Registry manifest: the list of named contracts and wallets',
  description: 'Returns the manifest that was imported last, with its hash and source.',
  params: z.object({}),
  query: z.object({
    format: z.enum(['json', 'raw'], 'must be json or raw').default('json').meta({
      description:
        'json (default): the manifest with its source and hash. raw: only the published bytes, whose SHA-256 is in the header X-Manifest-Sha256',
    }),
  }),
  response: z.union([
    z.strictObject({ provenance: Provenance, manifest: z.looseObject({}) }).meta({ id: 'RegistryManifest' }),
    z.looseObject({}).meta({ description: 'Only the registry manifest, if `format` is raw' }),
  ]),
  errors: ['bad_query', 'not_found', 'store_unavailable'],
  maxAgeSeconds: 5,
  example: '/registry/manifest',
  handle: async ({ sources }: SourceDeps, { query: { format } }) => {
    const state = await sources.current('registry_manifest');
    const provenance = sources.getProvenance('registry_manifest', state);
    if (!provenance || state?.sha256 === undefined)
      throw new ApiProblem('not_found', 'no registry manifest has been imported yet');
    const text = await sources.text('registry_manifest', state.sha256);
    if (text === undefined)
      throw new ApiProblem('store_unavailable', 'the registry manifest is being replaced; try again');
    const headers = { 'X-Manifest-Sha256': state.sha256 };
    if (format === 'raw') return new OtherReply('application/json', text, headers);
    // insert the manifest as text, because parsing could change numbers and key order
    return new OtherReply(
      'application/json',
      `{"provenance":${JSON.stringify(provenance)},"manifest":${text.trim()}}`,
      headers,
    );
  },
});

export const getManifestSchema = defineRoute({
  id: 'getManifestSchema',
  base: '/api/v1',
  path: '/registry/manifest/schema',
  methods: ['get'],
  tag: 'registry',
  summary: 'JSON Schema of the registry manifest',
  params: z.object({}),
  query: z.object({}),
  response: z.looseObject({}),
  errors: [],
  maxAgeSeconds: 3_600,
  example: '/registry/manifest/schema',
  handle: async () => manifestJsonSchema() as Record<string, unknown>,
});
