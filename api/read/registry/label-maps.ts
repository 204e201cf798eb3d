/** Compressed replies with the labels of all entities, cached per registry manifest and kind. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RegistryKind } from '#registry/kinds.ts';
import type { Database } from '#sql/client.ts';
import { anywhere, Cache } from '../../cache/cache.ts';

interface LabelMap {
  readonly gzipped: Buffer;
  readonly etag: string;
}

const compress = promisify(gzip);

export class LabelMaps {
  readonly #maps = new Cache<LabelMap>('label_maps');
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** @param head other fields of the reply; they must depend only on manifest and kind */
  of(manifest: string, kind: RegistryKind | undefined, head: Readonly<Record<string, unknown>>): Promise<LabelMap> {
    return this.#maps.of(`${manifest} ${kind ?? ''}`, anywhere, () => this.#make(manifest, kind, head));
  }

  async #make(manifest: string, kind: RegistryKind | undefined, head: Readonly<Record<string, unknown>>) {
    const rows = await this.database.read('registry_label_rows', { manifest, kind: kind ?? '' });
    const labels = rows.map(({ id_hex, label, kind_name, address_hex, category }): [string, unknown] => [
      id_hex,
      { label, kind: kind_name, address: address_hex, category: category || null },
    ]);
    const text = JSON.stringify({ ...head, count: rows.length, labels: Object.fromEntries(labels) });
    const gzipped = await compress(text);
    return { gzipped, etag: createHash('sha1').update(text).digest('base64url') };
  }
}
