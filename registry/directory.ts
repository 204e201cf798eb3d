/** The public directory of the deployment console: its schema. @source specification 4.2; docs/registry.md */
import { z } from 'zod';

const maxEntries = 100_000;
const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).max(2_000);
const text = (most: number) => z.string().min(1, 'must not be empty').max(most);

export const DirectoryEntry = z
  .strictObject({
    id: text(128),
    name: text(200),
    category: text(64).meta({ description: 'Free word: exchange, wallet, data, …' }),
    description: text(2_000).optional(),
    url: webUrl.optional(),
    nodeRole: z
      .enum(['rpc', 'relay', 'validator', 'agent'])
      .optional()
      .meta({ description: 'Role of its node, where it runs one' }),
    rpcUrl: webUrl.optional(),
    nodeKey: text(200).optional().meta({ description: 'Public key that is registered to the project' }),
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
  .meta({ title: 'Ecosystem directory', description: 'Projects of the deployment console that are public' });

export type Directory = z.infer<typeof Directory>;

/** JSON Schema of a directory, draft 2020-12. */
export const directoryJsonSchema = () => z.toJSONSchema(Directory, { io: 'input' });

/** @throws Error naming what is wrong */
export function parseDirectory(json: string): Directory {
  const parsed = Directory.safeParse(JSON.parse(json));
  if (!parsed.success) {
    const faults = parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Error(`the directory is refused: ${faults.join('; ')}`);
  }
  const ids = new Set<string>();
  for (const { id } of parsed.data.entries) {
    if (ids.has(id)) throw new Error(`the directory is refused: ${id} is there twice`);
    ids.add(id);
  }
  return parsed.data;
}
