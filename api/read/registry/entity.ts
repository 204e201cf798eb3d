import { z } from 'zod';
import { registryKinds } from '#registry/kinds.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { HexAddress, HexHash } from '../../terms/primitives.ts';

/** Digest of a missing registry manifest. */
export const noManifest = '00'.repeat(32);

export const KindQuery = z
  .string()
  .transform((kind, context) => {
    const known = registryKinds.find((name) => name === kind);
    if (!known)
      throw new ApiProblem(
        'invalid_kind',
        `kind must be one of ${registryKinds.join(', ')}, got ${kind.slice(0, 60)}`,
        { allowed: registryKinds },
      );
    if (context.issues.length > 0) return z.NEVER;
    return known;
  })
  .meta({ description: `Kind of registry entity: ${registryKinds.join(', ')}`, example: 'wallet' });

export const RegistryEntity = z
  .strictObject({
    id: HexHash,
    kind: z.enum(registryKinds),
    label: z
      .string()
      .nullable()
      .meta({ description: 'Name of the entity; null if the registry manifest does not list it' }),
    address: HexAddress.nullable(),
    category: z.string().nullable(),
    description: z.string().nullable(),
    url: z.string().nullable(),
    parent: HexHash.nullable(),
    attributes: z.record(z.string(), z.string()),
    source: z.enum(['manifest', 'index']).meta({
      description: 'manifest: listed in the registry manifest; index: seen on the chain but not listed in the manifest',
    }),
  })
  .meta({ id: 'RegistryEntity' });

export type EntityRecord = RowOf<'registry_entity'>;

export function serializeEntity(row: EntityRecord): z.input<typeof RegistryEntity> {
  return {
    id: row.id_hex,
    kind: row.kind_name,
    label: row.label,
    address: row.address_hex,
    category: row.category || null,
    description: row.description || null,
    url: row.url || null,
    parent: row.parent_hex,
    attributes: JSON.parse(row.attributes),
    source: 'manifest',
  };
}

/** Builds an entity for an indexed address that the registry manifest does not list. */
export function derivedEntity(
  id: string,
  kind: 'wallet' | 'contract',
  address: string,
): z.input<typeof RegistryEntity> {
  const unknown = { label: null, category: null, description: null, url: null, parent: null };
  return { id, kind, address, ...unknown, attributes: {}, source: 'index' };
}
