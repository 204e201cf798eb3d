/** Which shapes a search ranks: all in its scope, or, where those are many, the nearest ones by vectors and by words. */
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

/** Shapes up to which all of a scope are ranked. */
const mostRanked = 5_000;
/** Of more than that: so many by vectors, and so many by words. */
const preselected = 2_000;
/** Terms by which shapes are looked for. */
const mostTerms = 24;
/** Share of shapes that must have a vector of the dense model for it to count. */
const neededCoverage = 0.9;

interface FindDeps {
  readonly database: Database;
  readonly catalogue: ShapeCatalogue;
  readonly shapeVectors: ShapeVectors;
  /** Scopes that were seen with more shapes than are ranked whole. */
  readonly wideScopes: LRUCache<string, true>;
}

interface Candidates {
  readonly shapes: readonly KnownShape[];
  /** That the texts of the shapes are numbered by. */
  readonly table: TermTable;
  /** By the dense model. */
  readonly cosines: ReadonlyMap<string, number> | undefined;
  readonly hasDense: boolean;
}

type CosineRecord = BinaryRowOf<'shape_cosines'>;

export async function findCandidates(
  deps: FindDeps,
  scope: Scope,
  words: readonly string[],
  vectors: Promise<QueryVectors>,
): Promise<Candidates> {
  const place = placeOf(scope);
  // a scope that had many shapes has many still: what narrows them down need not wait for their number
  if (words.length > 0 && deps.wideScopes.has(place)) return narrowedDown(deps, scope, words, await vectors, []);
  // the scope is read while the query is embedded
  const [records, known] = await Promise.all([readIds(deps, scope), vectors]);
  const ids = records.map(({ shape_id }) => shape_id).sort();
  if (ids.length > mostRanked) {
    deps.wideScopes.set(place, true);
    return narrowedDown(deps, scope, words, known, ids);
  }
  const { dense } = known;
  const asksForMeaning = words.length > 0 && dense !== undefined;
  const [{ shapes, table }, cosines] = await Promise.all([
    deps.catalogue.get(ids),
    asksForMeaning ? deps.shapeVectors.cosines(dense.id, dense.vector, ids) : new Map<string, number>(),
  ]);
  const covered = shapes.filter(({ id }) => cosines.has(id)).length;
  const isCovered = words.length === 0 || covered >= neededCoverage * shapes.length;
  const hasDense = dense !== undefined && isCovered;
  return { shapes, table, cosines: hasDense ? cosines : undefined, hasDense };
}

/** The nearest shapes by vectors and by words; where there are no words, any. */
async function narrowedDown(
  deps: FindDeps,
  scope: Scope,
  words: readonly string[],
  vectors: QueryVectors,
  ids: readonly string[],
): Promise<Candidates> {
  if (words.length === 0) {
    const some = ids.slice(0, preselected);
    return { ...(await deps.catalogue.get(some)), cosines: undefined, hasDense: false };
  }
  const [near, byWords] = await Promise.all([nearestDense(deps, scope, vectors), readByTerms(deps, scope, words)]);
  const hasDense = near.length > 0;
  const byVector = hasDense
    ? near.slice(0, preselected)
    : await nearest(deps, scope, staticEmbedderId, vectors.local, preselected);
  const chosen = new Set([...byVector, ...byWords].map(({ shape_id }) => shape_id));
  const { shapes, table } = await deps.catalogue.get([...chosen].sort());
  const cosines = cosinesOf(near);
  const least = near.at(-1)?.cosine ?? 0;
  const all = new Map(shapes.map(({ id }) => [id, cosines.get(id) ?? least]));
  return { shapes, table, cosines: hasDense ? all : undefined, hasDense };
}

function readIds({ database }: FindDeps, { parameters, askedOfShapes, byKnots }: Scope) {
  const statement = byKnots ? 'shapes_of_knots' : 'shapes_in_scope';
  return database.readBinary(statement, { ...parameters, limit: mostRanked + 1 }, askedOfShapes);
}

async function nearestDense(deps: FindDeps, scope: Scope, { dense }: QueryVectors): Promise<CosineRecord[]> {
  return dense ? nearest(deps, scope, dense.id, dense.vector, mostRanked) : [];
}

function nearest(
  { database }: FindDeps,
  { parameters, askedOfShapes }: Scope,
  embedder: string,
  vector: Float32Array,
  limit: number,
): Promise<CosineRecord[]> {
  const rounded = [...vector].map((value) => Number(value.toFixed(5)));
  return database.readBinary('shape_cosines', { ...parameters, embedder, vector: rounded, limit }, askedOfShapes);
}

const cosinesOf = (near: readonly CosineRecord[]) => new Map(near.map(({ shape_id, cosine }) => [shape_id, cosine]));

/** What tells scopes apart, the head aside. */
const placeOf = ({ parameters: { through_block: _, ...rest } }: Scope) => JSON.stringify(rest);

/** Shapes whose texts have the words, or words that are like them. */
function readByTerms(
  { database, catalogue }: FindDeps,
  { parameters, askedOfShapes }: Scope,
  words: readonly string[],
) {
  const likes = words
    .flatMap((word) => catalogue.table.expand(word))
    .sort((a, b) => b.weight - a.weight)
    .map((met) => met.stem);
  const terms = [...new Set([...words.map(stem), ...likes])].slice(0, mostTerms);
  return database.readBinary('shapes_with_terms', { ...parameters, terms, limit: preselected }, askedOfShapes);
}
