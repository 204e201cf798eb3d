import { z } from 'zod';
import { manifestJsonSchema } from '#registry/manifest.ts';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { Provenance, type SourceDeps } from '../../read/registry/source-reader.ts';
import { ApiProblem } from '../../terms/errors.ts';

/** @source specification 4.7: a mirror; with format=raw byte by byte, so that its hash can be checked */
export const getRegistryManifest = defineRoute({
  id: 'getRegistryManifest',
  base: '/api/v1',
  path: '/registry/manifest',
  methods: ['get'],
  tag: 'registry',
  summary: 'The whole manifest with its hash; format=raw: its bytes as they were published',
  section: '4.7',
  params: z.object({}),
  query: z.object({
    format: z
      .enum(['json', 'raw'], 'must be json or raw')
      .default('json')
      .meta({ description: 'raw: the document alone, of which the SHA-256 is the one in X-Manifest-Sha256' }),
  }),
  response: z.union([
    z.strictObject({ provenance: Provenance, manifest: z.looseObject({}) }).meta({ id: 'RegistryManifest' }),
    z.looseObject({}).meta({ description: 'With format=raw: the manifest alone' }),
  ]),
  errors: ['bad_query', 'not_found', 'store_unavailable'],
  maxAgeSeconds: 5,
  example: '/registry/manifest',
  handle: async ({ sources }: SourceDeps, { query: { format } }) => {
    const state = await sources.current('registry_manifest');
    const provenance = sources.provenanceOf('registry_manifest', state);
    if (!provenance || state?.sha256 === undefined) throw new ApiProblem('not_found', 'no manifest was imported yet');
    const text = await sources.text('registry_manifest', state.sha256);
    if (text === undefined) throw new ApiProblem('store_unavailable', 'the manifest is being replaced, try again');
    const headers = { 'X-Manifest-Sha256': state.sha256 };
    if (format === 'raw') return new OtherReply('application/json', text, headers);
    // put together as text: numbers and order of the manifest stay as they were published
    return new OtherReply(
      'application/json',
      `{"provenance":${JSON.stringify(provenance)},"manifest":${text.trim()}}`,
      headers,
    );
  },
});

/** The schema that a manifest is checked against, as JSON Schema. */
export const getManifestSchema = defineRoute({
  id: 'getManifestSchema',
  base: '/api/v1',
  path: '/registry/manifest/schema',
  methods: ['get'],
  tag: 'registry',
  summary: 'JSON Schema of a manifest',
  section: '4.7',
  params: z.object({}),
  query: z.object({}),
  response: z.looseObject({}),
  errors: [],
  maxAgeSeconds: 3_600,
  example: '/registry/manifest/schema',
  handle: async () => manifestJsonSchema() as Record<string, unknown>,
});
