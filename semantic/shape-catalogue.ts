/** Shapes in memory, made ready for ranking: a shape never changes, so what was read once stays true. */
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { chunksOf } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import { embedText } from './embed/static-embedder.ts';
import { renderShape } from './render-shape.ts';
import type { Shape } from './shape.ts';
import { type ShapeRecord, shapeOf } from './shape-rows.ts';
import { type AnalysedText, TermTable } from './term-table.ts';
import type { WordVectors } from './word-vectors.ts';

/** About 1.5 KB each. */
const keptShapes = 60_000;
const mostTerms = 200_000;
/** Shapes asked for in one statement: their ids travel in its URL. */
const shapesAtOnce = 500;
const statementsAtOnce = 3;
/** Missing shapes from which all are read, where all fit. */
const manyMissing = 1_500;
/** Shapes made ready before others get their turn: a few milliseconds. */
const madeAtOnce = 50;

export interface KnownShape {
  readonly id: string;
  readonly shape: Shape;
  readonly text: AnalysedText;
  /** By static word vectors, of length 1. */
  readonly vector: Float32Array;
}

/** Shapes and the table that their texts are numbered by: they are forgotten together. */
interface Kept {
  readonly table: TermTable;
  readonly shapes: LRUCache<string, KnownShape>;
  isFilled: boolean;
}

export class ShapeCatalogue {
  #kept: Kept;
  readonly database: Database;
  readonly vectors: WordVectors;

  constructor(database: Database, vectors: WordVectors) {
    this.database = database;
    this.vectors = vectors;

    this.#kept = this.#nothing();
  }

  /** Of everything that was read so far. */
  get table(): TermTable {
    return this.#kept.table;
  }

  /** Those that exist, in the order of their ids, and the table that holds for them. */
  async get(ids: readonly string[]): Promise<{ shapes: KnownShape[]; table: TermTable }> {
    if (this.table.size > mostTerms) this.#kept = this.#nothing();
    const kept = this.#kept;
    return { shapes: await this.#find(kept, ids), table: kept.table };
  }

  async #find(kept: Kept, ids: readonly string[]): Promise<KnownShape[]> {
    const found = new Map<string, KnownShape>();
    const missing: string[] = [];
    for (const id of ids) {
      const known = kept.shapes.get(id);
      if (known) found.set(id, known);
      else missing.push(id);
    }
    if (missing.length > 0) for (const shape of await this.#read(kept, missing)) found.set(shape.id, shape);
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  async #read(kept: Kept, ids: readonly string[]): Promise<KnownShape[]> {
    if (ids.length >= manyMissing && !kept.isFilled) {
      kept.isFilled = true;
      await this.#keep(kept, await this.database.read('all_shapes', { limit: keptShapes }));
      return this.#find(kept, ids);
    }
    const read: KnownShape[] = [];
    for (const chunks of chunksOf(chunksOf(ids, shapesAtOnce), statementsAtOnce)) {
      const some = chunks.map(async (chunk) =>
        this.#keep(kept, await this.database.read('shapes_by_id', { ids: chunk.map(BigInt) })),
      );
      read.push(...(await Promise.all(some)).flat());
    }
    return read;
  }

  async #keep(kept: Kept, records: readonly ShapeRecord[]): Promise<KnownShape[]> {
    const shapes: KnownShape[] = [];
    for (const record of records) {
      const shape = this.#make(kept.table, record);
      kept.shapes.set(shape.id, shape);
      shapes.push(shape);
      if (shapes.length % madeAtOnce === 0) await setImmediate();
    }
    return shapes;
  }

  #make(table: TermTable, record: ShapeRecord): KnownShape {
    const shape = shapeOf(record);
    const { facts, meaning } = renderShape(shape);
    const text = table.analyse(facts, meaning);
    return { id: record.shape_id, shape, text, vector: embedText(this.vectors, `${facts}. ${meaning}`) };
  }

  #nothing(): Kept {
    return { table: new TermTable(this.vectors), shapes: new LRUCache({ max: keptShapes }), isFilled: false };
  }
}
