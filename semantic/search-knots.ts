/**
 * Search of knots by plain words: parsed predicates narrow down what may be found, shapes are ranked by words and vectors, and the
 * knots of the best shapes come back. Exact and deterministic. Who may ask about which wallet is the caller's to check.
 */
import type { LRUCache } from 'lru-cache';
import { known } from '#runtime/known.ts';
import { firstOf } from '#runtime/lists.ts';
import type { Log } from '#runtime/log.ts';
import type { Database } from '#sql/client.ts';
import { embedQuery, type SearchEmbedders } from './embed/embed-query.ts';
import { findCandidates } from './find-candidates.ts';
import { type Interpretation, interpret } from './interpretation.ts';
import { type KnotRecord, knotId } from './knot-rows.ts';
import { parseQuery } from './parse/parse-query.ts';
import type { ParsedQuery } from './parse/predicates.ts';
import { type Candidate, type RankedShape, rankShapes } from './rank.ts';
import { type Relaxed, relax, type Scope, scopeOf } from './search-scope.ts';
import type { Shape } from './shape.ts';
import type { ShapeCatalogue } from './shape-catalogue.ts';
import type { ShapeVectors } from './shape-vectors.ts';
import { areGeneric, queryWords, scoreTexts } from './soft-bm25.ts';
import type { TokenVocabulary } from './token-vocabulary.ts';
import { dot } from './word-vectors.ts';

export interface SearchDeps {
  readonly database: Database;
  readonly log: Log;
  readonly catalogue: ShapeCatalogue;
  readonly shapeVectors: ShapeVectors;
  readonly wideScopes: LRUCache<string, true>;
  readonly tokens: TokenVocabulary;
  readonly embedders: SearchEmbedders;
}

interface SearchRequest {
  /** 0x hex, lower case; undefined: all wallets. */
  readonly wallet: string | undefined;
  readonly query: string;
  /** Most items, 1 to 200. */
  readonly limit: number;
  readonly now: Date;
  /** Blocks above it are not seen. */
  readonly throughBlock?: number;
}

interface FoundKnot {
  readonly knotId: string;
  readonly score: number;
  /** Words of the query that met words of the event; empty where only the meaning is near. */
  readonly matched: readonly string[];
  readonly shape: Shape;
  readonly record: KnotRecord;
}

interface SearchResult {
  readonly items: readonly FoundKnot[];
  readonly interpretation: Interpretation;
  /** Rules given up because nothing fulfilled all of them. */
  readonly relaxed: readonly Relaxed[];
  /** Model that told what is near in meaning. */
  readonly embedder: string;
  /** True when the better model was not to be had and the local word vectors stood in. */
  readonly isDegraded: boolean;
}

/** Shapes of which knots are fetched: each has one at least, so that more than the limit are of use only for an order. */
const mostShapes = 200;
const spareShapes = 20;
/** Knots picked for each that is wanted: some may have been rewritten since. */
const pickedShare = 3;
/** Below the best score by at most this, in points or as a share of it, a shape is what was asked for, where an order is wanted. */
const relevantGap = { points: 0.6, share: 0.4 };
/** Weight of the dense model, and of the word vectors beside it. */
const legWeights = { dense: 0.6, words: 0.6 };

export async function searchKnots(deps: SearchDeps, request: SearchRequest): Promise<SearchResult> {
  const query = parseQuery(request.query, request.now, await deps.tokens.current());
  const said = queryWords(query.residual);
  // "largest payments": the order says all, and no event is more of a payment than another
  const words = query.order && areGeneric(said) ? [] : said;
  const embedding = embedQuery(deps.embedders, words.length > 0 ? query.residual : '', deps.log);
  let relaxed: readonly Relaxed[] = [];
  let found = await findKnots(deps, request, query, words, embedding);
  const relaxedQuery = found.items.length === 0 ? relax(query) : undefined;
  if (relaxedQuery) {
    found = await findKnots(deps, request, relaxedQuery.query, words, embedding);
    relaxed = relaxedQuery.relaxed;
  }
  const vectors = await embedding;
  return {
    items: found.items,
    interpretation: interpret(query),
    relaxed,
    embedder: found.hasDense ? known(vectors.dense, 'the vector of the dense model').id : deps.embedders.local.id,
    isDegraded: vectors.isDegraded || (vectors.dense !== undefined && !found.hasDense),
  };
}

interface Found {
  readonly items: readonly FoundKnot[];
  readonly hasDense: boolean;
}

async function findKnots(
  deps: SearchDeps,
  { wallet, limit, throughBlock }: SearchRequest,
  query: ParsedQuery,
  words: readonly string[],
  embedding: ReturnType<typeof embedQuery>,
): Promise<Found> {
  const scope = scopeOf(query, wallet, throughBlock);
  const { shapes, table, cosines, hasDense } = await findCandidates(deps, scope, words, embedding);
  const vectors = await embedding;
  const lexical = scoreTexts(
    words,
    shapes.map(({ text }) => text),
    table,
  );
  const hasMeaning = words.length > 0;
  const ranked = rankShapes(
    query,
    shapes.map(({ id, shape, vector }, i) => ({
      id,
      shape,
      lexical: known(lexical[i], 'the score of a text'),
      cosines: hasMeaning ? [cosines?.get(id), dot(vector, vectors.local)] : [undefined, undefined],
    })),
    [hasDense ? legWeights.dense : 0, legWeights.words],
  );
  const best = bestShapes(ranked, query.order ? mostShapes : Math.min(mostShapes, limit + spareShapes));
  if (best.length === 0) return { items: [], hasDense };
  const records = await readKnots(deps, scope, query, best, limit);
  const byId = new Map(best.map((shape) => [shape.candidate.id, shape]));
  const items = records.map((record) => {
    const { candidate, score, matches } = known(byId.get(record.shape_id), 'the shape of a knot');
    const matched = matches.map(({ word, met }) => (word === met ? word : `${word} ~ ${met}`));
    return { knotId: knotId(record), score: round(score), matched, shape: candidate.shape, record };
  });
  return { items, hasDense };
}

type BestShape = RankedShape<Candidate & { readonly id: string }>;

function bestShapes(ranked: readonly BestShape[], count: number): BestShape[] {
  return [...ranked].sort((a, b) => b.score - a.score || (a.candidate.id < b.candidate.id ? -1 : 1)).slice(0, count);
}

async function readKnots(
  { database }: SearchDeps,
  { parameters: scope, byIndex, asked }: Scope,
  { order }: ParsedQuery,
  best: readonly BestShape[],
  limit: number,
): Promise<KnotRecord[]> {
  const top = firstOf(best).score;
  // where an order is wanted it decides among all that are what was asked for
  const relevantFrom = order ? top - Math.max(relevantGap.points, relevantGap.share * Math.abs(top)) : Infinity;
  const score = (value: number) => round(value >= relevantFrom ? top : value);
  const statement = byIndex && !order ? 'knots_by_shape' : 'knots_of_shapes';
  const parameters = {
    ...scope,
    ids: best.map(({ candidate }) => BigInt(candidate.id)),
    scores: best.map((shape) => score(shape.score)),
    order: order?.value ?? '',
    picked: pickedShare * limit,
    limit,
  };
  return database.readBinary(statement, parameters, order ? [...asked, 'order'] : asked);
}

function round(score: number): number {
  return Math.round(score * 1e4) / 1e4;
}
