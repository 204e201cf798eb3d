import { z } from 'zod';
import { groupBy } from '#runtime/lists.ts';
import { publicViews, viewsDatabase } from '#sql/public-views.ts';
import { defineRoute } from '../../http/define-route.ts';
import type { StoreDeps } from '../../read/reader-deps.ts';
import type { SqlSettings } from '../../read/sql/prepared-query.ts';

const View = z
  .strictObject({
    name: z.string(),
    description: z.string(),
    fastFilters: z.string().meta({ description: 'Filters for which the database reads few rows' }),
    columns: z.array(
      z.strictObject({
        name: z.string(),
        type: z.string().meta({ description: 'Data type of ClickHouse. FixedString(20) is an address, (32) a hash' }),
        description: z.string(),
      }),
    ),
  })
  .meta({ id: 'SqlView' });

type ViewsDeps = StoreDeps & { readonly settings: { readonly sql: SqlSettings } };

export const listSqlViews = defineRoute({
  id: 'listSqlViews',
  base: '/api/v1',
  path: '/sql/views',
  methods: ['get'],
  tag: 'sql',
  summary: 'Lists the public views with their columns',
  params: z.object({}),
  query: z.object({}),
  response: z
    .strictObject({ access: z.enum(['off', 'key', 'open']), views: z.array(View) })
    .meta({ id: 'SqlViewList' }),
  errors: ['store_unavailable'],
  maxAgeSeconds: 60,
  example: '/sql/views',
  handle: async ({ database, settings }: ViewsDeps) => ({
    access: settings.sql.access,
    views: await readViews({ database }),
  }),
});

export async function readViews({ database }: StoreDeps): Promise<z.input<typeof View>[]> {
  const names = publicViews().map(({ name }) => name);
  const rows = await database.read('view_columns', { views: viewsDatabase(database.options.database), names });
  const columns = groupBy(rows, ({ view_name }) => view_name);
  return publicViews().map(({ name, what, fast, columns: meanings }) => ({
    name,
    description: what,
    fastFilters: fast,
    columns: (columns.get(name) ?? []).map((column) => ({
      name: column.name,
      type: column.type,
      description: meanings.get(column.name) ?? '',
    })),
  }));
}
