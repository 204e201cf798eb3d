/**
 * Selects the kinds of events (shapes) to rank for a search: all that pass its filters, or the nearest if these are too
 * many.
 */
import type { LRUCache } from 'lru-cache';
import type { Database } from '#sql/client.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import type { QueryVectors } from './embed/embed-query.ts';
import { staticEmbedderId } from './embed/static-embedder.ts';
import type { Scope } from './search-scope.ts';
import type { KnownShape, ShapeCatalogue } from './shape-catalogue.ts';
import type { ShapeVectors } from './shape-vectors.ts';
import type { TermTable } from './term-table.ts';
import { stem } from './words.ts';

const maxRanked = 5_000;
const preselectedCount = 2_000;
const maxTerms = 24;
/** Minimum share of shapes with a vector for using the embedding model. */
const minCoverage = 0.9;

interface FindDeps {
  readonly database: Database;
  readonly catalogue: ShapeCatalogue;
  readonly shapeVectors: ShapeVectors;
  readonly wideScopes: LRUCache<string, true>;
}

interface Asked {
  /** Query words that are not filters. Without any, the first events in the requested order select their shapes. */
  readonly words: readonly string[];
  readonly order: string | undefined;
}

interface Candidates {
  readonly shapes: readonly KnownShape[];
  readonly table: TermTable;
  readonly cosines: ReadonlyMap<string, number> | undefined;
  readonly hasDense: boolean;
}

type CosineRecord = BinaryRowOf<'shape_cosines'>;

export async function findCandidates(
  deps: FindDeps,
  scope: Scope,
  asked: Asked,
  vectors: Promise<QueryVectors>,
): Promise<Candidates> {
  const { words } = asked;
  const key = scopeKey(scope);
  // these filters selected too many shapes in an earlier search
  if (deps.wideScopes.has(key)) return narrowDown(deps, scope, asked, await vectors);
  const [records, known] = await Promise.all([readIds(deps, scope), vectors]);
  const ids = records.map(({ shape_id }) => shape_id).sort();
  if (ids.length > maxRanked) {
    deps.wideScopes.set(key, true);
    return narrowDown(deps, scope, asked, known);
  }
  const { dense } = known;
  const hasMeaning = words.length > 0 && dense !== undefined;
  const [{ shapes, table }, cosines] = await Promise.all([
    deps.catalogue.get(ids),
    hasMeaning ? deps.shapeVectors.cosines(dense.id, dense.vector, ids) : new Map<string, number>(),
  ]);
  const covered = shapes.filter(({ id }) => cosines.has(id)).length;
  const hasDense = dense !== undefined && (words.length === 0 || covered >= minCoverage * shapes.length);
  return { shapes, table, cosines: hasDense ? cosines : undefined, hasDense };
}

async function narrowDown(
  deps: FindDeps,
  scope: Scope,
  { words, order = '' }: Asked,
  vectors: QueryVectors,
): Promise<Candidates> {
  if (words.length === 0) {
    const first = { ...scope.parameters, order, ids: [0n], scores: [0], limit: preselectedCount };
    const asked = order ? [...scope.asked, 'order' as const] : scope.asked;
    const rows = await deps.database.readBinary('shapes_of_first_knots', first, asked);
    const ids = rows.map(({ shape_id }) => shape_id).sort();
    return { ...(await deps.catalogue.get(ids)), cosines: undefined, hasDense: false };
  }
  const [near, byWords] = await Promise.all([readNearestDense(deps, scope, vectors), readByTerms(deps, scope, words)]);
  const hasDense = near.length > 0 && (await isCovered(deps, vectors, byWords));
  const byVector = hasDense
    ? near.slice(0, preselectedCount)
    : await readNearest(deps, scope, staticEmbedderId, vectors.local, preselectedCount);
  const chosen = new Set([...byVector, ...byWords].map(({ shape_id }) => shape_id));
  const { shapes, table } = await deps.catalogue.get([...chosen].sort());
  const cosines = toCosines(near);
  const least = near.at(-1)?.cosine ?? 0;
  const all = new Map(shapes.map(({ id }) => [id, cosines.get(id) ?? least]));
  return { shapes, table, cosines: hasDense ? all : undefined, hasDense };
}

/** Returns whether enough of the shapes found by words have a vector of the embedding model. */
async function isCovered(
  { database }: FindDeps,
  { dense }: QueryVectors,
  found: readonly { readonly shape_id: string }[],
): Promise<boolean> {
  if (dense === undefined || found.length === 0) return dense !== undefined;
  const ids = found.map(({ shape_id }) => BigInt(shape_id));
  const { vectors } = await database.readOne('count_shape_vectors', { embedder: dense.id, ids });
  return Number(vectors) >= minCoverage * found.length;
}

function readIds({ database }: FindDeps, { parameters, askedOfShapes, byKnots }: Scope) {
  const statement = byKnots ? 'shapes_of_knots' : 'shapes_in_scope';
  return database.readBinary(statement, { ...parameters, limit: maxRanked + 1 }, askedOfShapes);
}

async function readNearestDense(deps: FindDeps, scope: Scope, { dense }: QueryVectors): Promise<CosineRecord[]> {
  return dense ? readNearest(deps, scope, dense.id, dense.vector, maxRanked) : [];
}

function readNearest(
  { database }: FindDeps,
  { parameters, askedOfShapes }: Scope,
  embedder: string,
  vector: Float32Array,
  limit: number,
): Promise<CosineRecord[]> {
  const rounded = [...vector].map((value) => Number(value.toFixed(5)));
  return database.readBinary('shape_cosines', { ...parameters, embedder, vector: rounded, limit }, askedOfShapes);
}

const toCosines = (near: readonly CosineRecord[]) => new Map(near.map(({ shape_id, cosine }) => [shape_id, cosine]));

/** Cache key of the filters, without `through_block` and prices, which change with every block. */
const scopeKey = ({ parameters: { through_block: _, dollar_prices: __, ...rest } }: Scope) => JSON.stringify(rest);

function readByTerms(
  { database, catalogue }: FindDeps,
  { parameters, askedOfShapes }: Scope,
  words: readonly string[],
) {
  const similar = words
    .flatMap((word) => catalogue.table.expand(word))
    .sort((a, b) => b.weight - a.weight)
    .map((met) => met.stem);
  const terms = [...new Set([...words.map(stem), ...similar])].slice(0, maxTerms);
  return database.readBinary('shapes_with_terms', { ...parameters, terms, limit: preselectedCount }, askedOfShapes);
}
