/** Labels of addresses. A third party writes the registry manifest, and its texts are not changed here. */
import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { registryKinds } from '#registry/kinds.ts';
import { groupBy } from '#runtime/lists.ts';
import { anywhere } from '../../cache/cache.ts';
import { KeyedReads } from '../../cache/keyed-reads.ts';
import { perDatabase } from '../../cache/per-database.ts';
import { HexHash } from '../../terms/primitives.ts';
import type { StoreDeps } from '../reader-deps.ts';
import type { SourceDeps } from './source-reader.ts';

export const AddressLabel = z
  .strictObject({
    label: z.string(),
    kind: z.enum(registryKinds),
    category: z
      .string()
      .nullable()
      .meta({ description: 'Category of the address as free text, for example exchange or dex' }),
    entity: HexHash.meta({
      description: 'Id of the registry entity (such as a wallet, contract or partner) that has this label',
    }),
    source: z.literal('registry manifest'),
  })
  .meta({ id: 'AddressLabel' });

export type AddressLabel = z.infer<typeof AddressLabel>;

/** Maximum delay until a new registry manifest changes labels in replies. */
const manifestAgeMs = 500;

export interface LabelDeps extends StoreDeps, SourceDeps {}

/** Returns labels by lower-case address. */
export async function readLabels(
  { database, sources }: LabelDeps,
  addresses: readonly string[],
): Promise<Map<string, AddressLabel[]>> {
  if (addresses.length === 0) return new Map();
  const manifest = await sources.current('registry_manifest', manifestAgeMs);
  if (manifest?.sha256 === undefined) return new Map();
  return getLabelCache(database).of(addresses, anywhere, manifest.sha256);
}

const getLabelCache = perDatabase(
  (database) =>
    new KeyedReads<AddressLabel[]>('address_labels', async (addresses, _, manifest) => {
      const rows = await database.read('labels_of_addresses', { manifest, addresses: addresses.map(hexDigits) });
      const labels = groupBy(rows, ({ address_hex }) => address_hex);
      return new Map(
        [...labels].map(([address, own]) => [
          address,
          own.map(({ id_hex: entity, kind_name: kind, label, category }) => ({
            ...{ label, kind, category: category || null, entity },
            source: 'registry manifest',
          })),
        ]),
      );
    }),
);
