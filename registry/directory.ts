/** Schema of the ecosystem directory, a public list of projects. @source docs/registry.md#ecosystem-directory */
import { z } from 'zod';

const maxEntries = 100_000;
const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).max(2_000);
const text = (max: number) => z.string().min(1, 'must not be empty').max(max);

export const DirectoryEntry = z
  .strictObject({
    id: text(128),
    name: text(200),
    category: text(64).meta({ description: 'Category of the project, free text, for example exchange, wallet, data' }),
    description: text(2_000).optional(),
    url: webUrl.optional(),
    nodeRole: z
      .enum(['rpc', 'relay', 'validator', 'agent'])
      .optional()
      .meta({ description: 'Role of the project’s node' }),
    rpcUrl: webUrl.optional(),
    nodeKey: text(200).optional().meta({ description: 'Public key of the project’s node' }),
    address: z
      .string()
      .regex(/^0x[0-9a-f]{40}$/, 'must be 0x and 40 hex digits, lower case')
      .optional(),
  })
  .meta({ id: 'DirectoryEntry' });

const Directory = z
  .strictObject({
    generatedAt: z.iso.datetime({ error: 'must be a time like 2026-01-31T12:00:00Z' }),
    version: text(64).optional(),
    entries: z.array(DirectoryEntry).max(maxEntries),
  })
  .meta({ title: 'Ecosystem directory', description: 'List of public projects from the deployment console' });

export type Directory = z.infer<typeof Directory>;

export const directoryJsonSchema = () => z.toJSONSchema(Directory, { io: 'input' });

/** @throws Error with the first problems */
export function parseDirectory(json: string): Directory {
  const parsed = Directory.safeParse(JSON.parse(json));
  if (!parsed.success) {
    const errors = parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Error(`invalid ecosystem directory (list of projects): ${errors.join('; ')}`);
  }
  const ids = new Set<string>();
  for (const { id } of parsed.data.entries) {
    if (ids.has(id)) throw new Error(`invalid ecosystem directory (list of projects): id ${id} occurs twice`);
    ids.add(id);
  }
  return parsed.data;
}
