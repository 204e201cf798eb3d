/** Which shapes a search ranks: all in its scope, or, where those are many, the nearest ones by vectors and by words. */
import type { Database } from '#sql/client.ts';
import { withConditions } from '#sql/conditions.ts';
import { getStatement, type Statements } from '#sql/statements.ts';
import type { QueryVectors } from './embed/embed-query.ts';
import { staticEmbedderId } from './embed/static-embedder.ts';
import type { Scope } from './search-scope.ts';
import type { KnownShape, ShapeCatalogue } from './shape-catalogue.ts';
import { stem } from './words.ts';

/** Shapes up to which all of a scope are ranked. */
const mostRanked = 5_000;
/** Of more than that: so many by vectors, and so many by words. */
const preselected = 2_000;
/** Terms by which shapes are looked for. */
const mostTerms = 24;
/** Share of shapes that must have a vector of the dense model for it to count. */
const neededCoverage = 0.9;

export interface FindDeps {
  readonly database: Database;
  readonly statements: Statements;
  readonly catalogue: ShapeCatalogue;
}

export interface Candidates {
  readonly shapes: readonly KnownShape[];
  /** By the dense model. */
  readonly cosines: ReadonlyMap<string, number> | undefined;
  readonly hasDense: boolean;
}

interface IdRecord {
  readonly shape_id: string;
}

interface CosineRecord extends IdRecord {
  readonly cosine: number;
}

export async function findCandidates(
  deps: FindDeps,
  scope: Scope,
  words: readonly string[],
  vectors: Promise<QueryVectors>,
): Promise<Candidates> {
  const { database, statements } = deps;
  const nearest = (embedder: string, vector: Float32Array, limit: number) =>
    database.readBinary<CosineRecord>(withConditions(getStatement(statements, 'shape_cosines'), scope.asked), {
      ...{ ...scope.parameters, embedder, vector: [...vector].map((value) => Number(value.toFixed(5))), limit },
    });
  const hasWords = words.length > 0;
  const nearTo = async ({ dense }: QueryVectors) =>
    dense && hasWords ? nearest(dense.id, dense.vector, mostRanked) : [];
  // the scope is read while the query is embedded
  const [ids, near, { dense, local }] = await Promise.all([
    database.readBinary<IdRecord>(
      withConditions(getStatement(statements, scope.byKnots ? 'shapes_of_knots' : 'shapes_in_scope'), scope.asked),
      {
        ...scope.parameters,
        limit: mostRanked + 1,
      },
    ),
    vectors.then(nearTo),
    vectors,
  ]);
  const cosines = new Map(near.map(({ shape_id, cosine }) => [shape_id, cosine]));
  if (ids.length <= mostRanked) {
    const shapes = await deps.catalogue.get(ids.map(({ shape_id }) => shape_id).sort());
    const covered = shapes.filter(({ id }) => cosines.has(id)).length;
    const hasDense = dense !== undefined && (!hasWords || covered >= neededCoverage * shapes.length);
    return { shapes, cosines: hasDense ? cosines : undefined, hasDense };
  }
  const [byVector, byWords] = await Promise.all([
    near.length > 0 || !hasWords ? near.slice(0, preselected) : nearest(staticEmbedderId, local, preselected),
    hasWords ? readByTerms(deps, scope, words) : [],
  ]);
  const chosen = new Set([...byVector, ...byWords].map(({ shape_id }) => shape_id));
  if (!hasWords) for (const { shape_id } of ids.slice(0, preselected)) chosen.add(shape_id);
  const shapes = await deps.catalogue.get([...chosen].sort());
  const least = near.at(-1)?.cosine ?? 0;
  const all = new Map(shapes.map(({ id }) => [id, cosines.get(id) ?? least]));
  return { shapes, cosines: near.length > 0 ? all : undefined, hasDense: near.length > 0 };
}

/** Shapes whose texts have the words, or words that are like them. */
function readByTerms({ database, statements, catalogue }: FindDeps, scope: Scope, words: readonly string[]) {
  const likes = words
    .flatMap((word) => catalogue.table.expand(word))
    .sort((a, b) => b.weight - a.weight)
    .map(({ term }) => catalogue.table.stemOf(term));
  const terms = [...new Set([...words.map(stem), ...likes])].slice(0, mostTerms);
  return database.readBinary<IdRecord>(withConditions(getStatement(statements, 'shapes_with_terms'), scope.asked), {
    ...scope.parameters,
    terms,
    limit: preselected,
  });
}
