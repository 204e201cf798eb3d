import { z } from 'zod';
import { type Directory, DirectoryEntry, parseDirectory } from '#registry/directory.ts';
import { anywhere, type Cache } from '../../cache/cache.ts';
import { defineRoute } from '../../http/define-route.ts';
import { makeKeyedPage } from '../../read/chain/paging.ts';
import { Provenance, type SourceDeps } from '../../read/registry/source-reader.ts';
import { type Cursors, damaged, decodeCursor } from '../../terms/cursor.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Count, pageParameters } from '../../terms/primitives.ts';

interface DirectoryDeps extends SourceDeps {
  readonly directories: Cache<Directory>;
  readonly cursors: Cursors;
}

/** @source docs/registry.md#ecosystem-directory */
export const getEcosystemDirectory = defineRoute({
  id: 'getEcosystemDirectory',
  base: '/api/v1',
  path: '/ecosystem/directory',
  methods: ['get'],
  tag: 'network',
  summary: 'Ecosystem directory: public projects of the deployment console',
  description: 'Returns the list of projects that was read last. The field provenance contains its age.',
  params: z.object({}),
  query: z.object({
    category: z.string().max(64).optional().meta({ description: 'Return only projects of this category' }),
    ...pageParameters,
  }),
  response: z.strictObject({
    items: z.array(DirectoryEntry),
    nextCursor: z.string().nullable(),
    hasMore: z.boolean(),
    limit: Count,
    total: Count,
    provenance: Provenance.nullable().meta({
      description: 'Source and age of the list of projects; null if none was read yet',
    }),
    fault: z.string().nullable().meta({
      description: 'Reason why the list of projects could not be read; null if it was read',
    }),
  }),
  errors: ['bad_query', 'invalid_cursor', 'snapshot_invalidated', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/ecosystem/directory?limit=2',
  handle: async ({ sources, directories, cursors }: DirectoryDeps, { query: { category, limit, cursor } }) => {
    const filter = cursors(['ecosystem directory', category ?? '']);
    const state = await sources.current('ecosystem_directory');
    const { sha256 } = state ?? {};
    const directory =
      sha256 === undefined
        ? undefined
        : await directories.of(sha256, anywhere, async () => {
            const text = await sources.text('ecosystem_directory', sha256);
            if (text === undefined)
              throw new ApiProblem('store_unavailable', 'the ecosystem directory is being replaced: try again');
            return parseDirectory(text);
          });
    const all = (directory?.entries ?? []).filter((entry) => category === undefined || entry.category === category);
    const [skip = 0, of = sha256 ?? ''] = cursor === undefined ? [] : decodeCursor(filter, cursor).key;
    if (!Number.isSafeInteger(skip) || Number(skip) < 0) throw damaged();
    if (of !== (sha256 ?? ''))
      throw new ApiProblem('snapshot_invalidated', 'the ecosystem directory changed: restart from the first page');
    const rows = all.slice(Number(skip), Number(skip) + limit + 1);
    const { page: items, ...more } = makeKeyedPage(rows, filter, limit, () => [Number(skip) + limit, sha256 ?? '']);
    const provenance = sources.getProvenance('ecosystem_directory', state);
    return { items, ...more, limit, total: all.length, provenance, fault: provenance ? null : state?.fault || null };
  },
});
