/** Dense vectors of shapes in memory: comparing some thousands with a query takes less than a statement takes to be planned. */
import { LRUCache } from 'lru-cache';
import { chunksOf } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import { dot } from './word-vectors.ts';

/** About 2 kB each. */
const keptVectors = 20_000;
/** How long a shape counts as without a vector before it is asked for again, ms. */
const absentMs = 3_000;
/** Shapes asked for in one statement: their ids travel in its URL. */
const shapesAtOnce = 2_000;

export class ShapeVectors {
  /** By embedder and shape; false: it has none yet. */
  readonly #vectors = new LRUCache<string, Float32Array | false>({ max: keptVectors });
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** Cosines of the shapes that have a vector. @param query of length 1, by that embedder */
  async cosines(embedder: string, query: Float32Array, ids: readonly string[]): Promise<Map<string, number>> {
    const cosines = new Map<string, number>();
    const missing: string[] = [];
    for (const id of ids) {
      const vector = this.#vectors.get(`${embedder} ${id}`);
      if (vector) cosines.set(id, dot(vector, query));
      else if (vector === undefined) missing.push(id);
    }
    for (const some of chunksOf(missing, shapesAtOnce))
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
