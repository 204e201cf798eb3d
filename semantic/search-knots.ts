/**
 * Searches wallet events (knots) by a query in plain words: filters events, ranks their kinds (shapes), returns events
 * of the best kinds. The caller must check access to the wallet.
 */
import type { LRUCache } from 'lru-cache';
import { zeroAddress } from '#chain/codec/hex.ts';
import { known } from '#runtime/known.ts';
import type { Log } from '#runtime/log.ts';
import type { Database } from '#sql/client.ts';
import { embedQuery, type SearchEmbedders } from './embed/embed-query.ts';
import { findCandidates } from './find-candidates.ts';
import { type Interpretation, interpret } from './interpretation.ts';
import { type KnotRecord, knotId } from './knot-rows.ts';
import { parseQuery } from './parse/parse-query.ts';
import type { ParsedQuery } from './parse/predicates.ts';
import { type Candidate, type RankedShape, rankShapes } from './rank.ts';
import { type DollarPrices, type Relaxed, relax, type Scope, toSearchScope } from './search-scope.ts';
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
  /** Wallet to search, 0x hex, lower case; undefined: all wallets. */
  readonly wallet: string | undefined;
  readonly query: string;
  /** Maximum events, 1 to 200. */
  readonly limit: number;
  readonly now: Date;
  readonly throughBlock?: number;
  /** Prices for filters and sort orders in dollars, and for `usd` of the results; undefined: use stored values. */
  readonly dollarPrices?: DollarPrices;
}

/** The query has a dollar amount, but no token has a price, or it can match the native coin, which has no price. */
export class DollarsUnknown extends Error {}

interface FoundKnot {
  readonly knotId: string;
  readonly score: number;
  readonly matched: readonly string[];
  readonly shape: Shape;
  readonly record: KnotRecord;
}

interface SearchResult {
  readonly items: readonly FoundKnot[];
  readonly interpretation: Interpretation;
  /** Dropped filters, because no event matched all filters. */
  readonly relaxed: readonly Relaxed[];
  readonly embedder: string;
  /** Only word vectors were used, because the embedding model failed, timed out or has too few vectors. */
  readonly isDegraded: boolean;
}

const spareShapes = 20;
/** Maximum statements that look for events of the best shapes. */
const maxRounds = 3;
/** Rows to read per requested event, because rows that a row of another shape (kind of event) replaced are skipped. */
const readPerItem = 3;
/**
 * If the query has a sort order (such as "newest"), shapes with a score near the best one count as equally good. Near
 * means lower by at most `points`, or by at most `share` of the best score, whichever is larger.
 */
const relevantGap = { points: 0.6, share: 0.4 };
const legWeights = { dense: 0.6, words: 0.6 };

/** @throws DollarsUnknown */
export async function searchKnots(deps: SearchDeps, request: SearchRequest): Promise<SearchResult> {
  const tokens = await deps.tokens.current();
  const query = parseQuery(request.query, request.now, tokens);
  const { dollarPrices } = request;
  if (dollarPrices && query.amount?.unit === 'usd') assertPriced(query, tokens.nativeSymbol, dollarPrices);
  const meaningWords = queryWords(query.residual);
  // in "largest payments", only the order matters, because "payments" fits every event
  const words = query.order && areGeneric(meaningWords) ? [] : meaningWords;
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

/**
 * @throws DollarsUnknown if a dollar filter would hide events of the coin or its wrapped token, because they have no
 * price
 */
function assertPriced({ tokens, tokenClass }: ParsedQuery, nativeSymbol: string, prices: DollarPrices): void {
  const isOfStablecoins = tokenClass?.isHard && tokenClass.value === 'stablecoin';
  const coins = [nativeSymbol, `W${nativeSymbol}`].map((symbol) => symbol.toUpperCase());
  const isOfCoin = !isOfStablecoins && (tokens.length === 0 || tokens.some(({ value }) => coins.includes(value)));
  if (prices.size === 0 || (isOfCoin && !prices.has(zeroAddress))) throw new DollarsUnknown();
}

interface Found {
  readonly items: readonly FoundKnot[];
  readonly hasDense: boolean;
}

async function findKnots(
  deps: SearchDeps,
  { wallet, limit, throughBlock, dollarPrices = new Map() }: SearchRequest,
  query: ParsedQuery,
  words: readonly string[],
  embedding: ReturnType<typeof embedQuery>,
): Promise<Found> {
  const scope = toSearchScope(query, wallet, throughBlock, dollarPrices);
  const { shapes, table, cosines, hasDense } = await findCandidates(
    deps,
    scope,
    { words, order: query.order?.value },
    embedding,
  );
  if (shapes.length === 0) return { items: [], hasDense };
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
  const placed = placeShapes(ranked, query.order !== undefined);
  const records: KnotRecord[] = [];
  // after a change of names, events of old shapes have other shapes: then use the next shapes
  for (let [round, used] = [0, 0]; round < maxRounds && used < placed.length && records.length < limit; round++) {
    const best = takeBest(placed.slice(used), limit + spareShapes);
    records.push(...(await readKnots(deps, scope, query, best, limit - records.length)));
    used += best.length;
  }
  const byId = new Map(placed.map((shape) => [shape.candidate.id, shape]));
  const items = records.map((record) => {
    const { candidate, score, matches } = known(byId.get(record.shape_id), 'the shape of a knot');
    const matched = matches.map(({ word, met }) => (word === met ? word : `${word} ~ ${met}`));
    return { knotId: knotId(record), score: round(score), matched, shape: candidate.shape, record };
  });
  return { items, hasDense };
}

interface BestShape extends RankedShape<Candidate & { readonly id: string }> {
  /** Score that orders the shape's events. */
  readonly place: number;
}

/** Returns the shapes with the score that orders their events, highest first. */
function placeShapes(ranked: readonly Omit<BestShape, 'place'>[], isOrdered: boolean): readonly BestShape[] {
  const top = ranked.reduce((most, { score }) => Math.max(most, score), -Infinity);
  const relevantFrom = isOrdered ? top - Math.max(relevantGap.points, relevantGap.share * Math.abs(top)) : Infinity;
  return ranked
    .map((shape) => ({ ...shape, place: round(shape.score >= relevantFrom ? top : shape.score) }))
    .sort((a, b) => b.place - a.place || (a.candidate.id < b.candidate.id ? -1 : 1));
}

/**
 * Returns the `count` best shapes, and all others with the same score as the last of them: only their events decide
 * which of these come first.
 */
function takeBest(placed: readonly BestShape[], count: number): readonly BestShape[] {
  const last = placed[count - 1];
  return last === undefined ? placed : placed.filter(({ place }) => place >= last.place);
}

async function readKnots(
  { database }: SearchDeps,
  { parameters: scope, byIndex, asked }: Scope,
  { order }: ParsedQuery,
  best: readonly BestShape[],
  limit: number,
): Promise<KnotRecord[]> {
  const statement = byIndex && !order ? 'knots_by_shape' : 'knots_of_shapes';
  const parameters = {
    ...scope,
    ids: best.map(({ candidate }) => BigInt(candidate.id)),
    scores: best.map(({ place }) => place),
    order: order?.value ?? '',
    picked: readPerItem * limit,
    limit,
  };
  return database.readBinary(statement, parameters, order ? [...asked, 'order'] : asked);
}

function round(score: number): number {
  return Math.round(score * 1e4) / 1e4;
}
