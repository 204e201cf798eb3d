/** Caches vectors of kinds of events (shapes), because comparing them in memory is faster than in SQL. */
import { LRUCache } from 'lru-cache';
import { splitIntoChunks } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import { dot } from './word-vectors.ts';

/** Maximum cached vectors, about 2 kB each. */
const maxCachedVectors = 20_000;
/** Time before a missing vector is read again, ms. */
const absentMs = 3_000;
const shapesPerStatement = 2_000;

export class ShapeVectors {
  /** By embedding model and shape (kind of event); false: the shape has no vector yet. */
  readonly #vectors = new LRUCache<string, Float32Array | false>({ max: maxCachedVectors });
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  async cosines(embedder: string, query: Float32Array, ids: readonly string[]): Promise<Map<string, number>> {
    const cosines = new Map<string, number>();
    const missing: string[] = [];
    for (const id of ids) {
      const vector = this.#vectors.get(`${embedder} ${id}`);
      if (vector) cosines.set(id, dot(vector, query));
      else if (vector === undefined) missing.push(id);
    }
    for (const some of splitIntoChunks(missing, shapesPerStatement))
      for (const { shape_id, vector } of await this.#read(embedder, some)) cosines.set(shape_id, dot(vector, query));
    return cosines;
  }

  async #read(embedder: string, ids: readonly string[]): Promise<BinaryRowOf<'shape_vectors_by_id'>[]> {
    const rows = await this.database.readBinary('shape_vectors_by_id', { embedder, ids: ids.map(BigInt) });
    for (const id of ids) this.#vectors.set(`${embedder} ${id}`, false, { ttl: absentMs });
    for (const { shape_id, vector } of rows) this.#vectors.set(`${embedder} ${shape_id}`, vector, { ttl: 0 });
    return rows;
  }
}
