/** Caches kinds of events (shapes) with texts and vectors. Entries never expire, because shapes never change. */
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { splitIntoChunks } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import { embedText } from './embed/static-embedder.ts';
import { renderShape } from './render-shape.ts';
import type { Shape } from './shape.ts';
import { type ShapeRecord, toShape } from './shape-rows.ts';
import { type AnalysedText, TermTable } from './term-table.ts';
import type { WordVectors } from './word-vectors.ts';

/** Maximum cached shapes, about 1.5 KB each. */
const maxCachedShapes = 60_000;
const maxTerms = 200_000;
/** Maximum ids per statement, because the URL contains them. */
const shapesPerStatement = 500;
const maxParallelStatements = 3;
const manyMissing = 1_500;
/** Shapes to prepare (a few milliseconds) before the event loop handles other tasks. */
const shapesPerTurn = 50;

export interface KnownShape {
  readonly id: string;
  readonly shape: Shape;
  readonly text: AnalysedText;
  readonly vector: Float32Array;
}

/** Cached texts refer to words by their number in `table`, so both are dropped together. */
interface CachedShapes {
  readonly table: TermTable;
  readonly shapes: LRUCache<string, KnownShape>;
  isFilled: boolean;
}

export class ShapeCatalogue {
  #cached: CachedShapes;
  readonly database: Database;
  readonly vectors: WordVectors;

  constructor(database: Database, vectors: WordVectors) {
    this.database = database;
    this.vectors = vectors;

    this.#cached = this.#createEmpty();
  }

  get table(): TermTable {
    return this.#cached.table;
  }

  async get(ids: readonly string[]): Promise<{ shapes: KnownShape[]; table: TermTable }> {
    if (this.table.size > maxTerms) this.#cached = this.#createEmpty();
    const cached = this.#cached;
    return { shapes: await this.#find(cached, ids), table: cached.table };
  }

  async #find(cached: CachedShapes, ids: readonly string[]): Promise<KnownShape[]> {
    const found = new Map<string, KnownShape>();
    const missing: string[] = [];
    for (const id of ids) {
      const known = cached.shapes.get(id);
      if (known) found.set(id, known);
      else missing.push(id);
    }
    if (missing.length > 0) for (const shape of await this.#read(cached, missing)) found.set(shape.id, shape);
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  async #read(cached: CachedShapes, ids: readonly string[]): Promise<KnownShape[]> {
    if (ids.length >= manyMissing && !cached.isFilled) {
      cached.isFilled = true;
      await this.#prepare(cached, await this.database.read('all_shapes', { limit: maxCachedShapes }));
      return this.#find(cached, ids);
    }
    const read: KnownShape[] = [];
    for (const chunks of splitIntoChunks(splitIntoChunks(ids, shapesPerStatement), maxParallelStatements)) {
      const some = chunks.map(async (chunk) =>
        this.#prepare(cached, await this.database.read('shapes_by_id', { ids: chunk.map(BigInt) })),
      );
      read.push(...(await Promise.all(some)).flat());
    }
    return read;
  }

  async #prepare(cached: CachedShapes, records: readonly ShapeRecord[]): Promise<KnownShape[]> {
    const shapes: KnownShape[] = [];
    for (const record of records) {
      const shape = this.#make(cached.table, record);
      cached.shapes.set(shape.id, shape);
      shapes.push(shape);
      if (shapes.length % shapesPerTurn === 0) await setImmediate();
    }
    return shapes;
  }

  #make(table: TermTable, record: ShapeRecord): KnownShape {
    const shape = toShape(record);
    const { facts, meaning } = renderShape(shape);
    const text = table.analyse(facts, meaning);
    return { id: record.shape_id, shape, text, vector: embedText(this.vectors, `${facts}. ${meaning}`) };
  }

  #createEmpty(): CachedShapes {
    return { table: new TermTable(this.vectors), shapes: new LRUCache({ max: maxCachedShapes }), isFilled: false };
  }
}
