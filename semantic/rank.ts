/**
 * Ranks kinds of events (shapes) for a search query. If no text contains query words, only vectors count.
 * @source docs/measurements.md
 */
import type { ParsedQuery } from './parse/predicates.ts';
import type { Shape } from './shape.ts';
import type { SoftScore, WordMatch } from './soft-bm25.ts';

/**
 * Number of texts with the best word scores to examine. The more query words one of them contains, the less the vectors
 * count.
 */
const coverageDepth = 5;
const lexicalWeight = 3;
/** Below this best word score, words count less, because the query words then occur in most texts. */
const minLexical = 1.2;
/** Share of the vectors' weight that is lost if a text contains all query words. */
const coveredShare = 0.8;

export interface Candidate {
  readonly shape: Shape;
  readonly lexical: SoftScore;
  readonly cosines: readonly (number | undefined)[];
}

export interface RankedShape<C extends Candidate = Candidate> {
  readonly candidate: C;
  readonly score: number;
  readonly matches: readonly WordMatch[];
}

export function rankShapes<C extends Candidate>(
  query: ParsedQuery,
  candidates: readonly C[],
  legWeights: readonly number[],
): RankedShape<C>[] {
  const largest = candidates.reduce((most, { lexical }) => Math.max(most, lexical.score), minLexical);
  const coverage = computeCoverage(candidates);
  const legs = legWeights.map((weight, leg) => ({
    weight,
    standardize: standardizer(candidates.map(({ cosines }) => cosines[leg])),
  }));
  return candidates.map((candidate) => {
    const { shape, lexical, cosines } = candidate;
    const words = lexicalWeight * (lexical.score / largest) * Math.sqrt(coverage);
    const meaning = legs.reduce((sum, { weight, standardize }, leg) => sum + weight * standardize(cosines[leg]), 0);
    const score = words + (1 - coveredShare * coverage) * meaning + boosts(query, shape);
    return { candidate, score, matches: lexical.matches };
  });
}

function computeCoverage(candidates: readonly Candidate[]): number {
  const best = [...candidates].sort((a, b) => b.lexical.score - a.lexical.score).slice(0, coverageDepth);
  return Math.max(0, ...best.map(({ lexical }) => lexical.coverage));
}

/** Returns a function that computes z-scores. Missing values give 0. */
function standardizer(values: readonly (number | undefined)[]): (value: number | undefined) => number {
  const known = values.filter((value) => value !== undefined);
  const mean = known.reduce((sum, value) => sum + value, 0) / Math.max(known.length, 1);
  const variance = known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(known.length, 1);
  const deviation = Math.sqrt(variance);
  return (value) => (value === undefined || deviation < 1e-9 ? 0 : (value - mean) / deviation);
}

const boostWeights = { direction: 0.5, status: 0.5, tokenClass: 0.3, kinds: 0.6, into: 1, failedUnasked: 0.4 };

function boosts({ direction, status, tokenClass, kinds, into }: ParsedQuery, shape: Shape): number {
  let sum = directionBoost(direction, shape);
  if (status && status.value === shape.status) sum += boostWeights.status;
  if (!status && shape.status === 'failed') sum -= boostWeights.failedUnasked;
  if (tokenClass && (shape.tokenClass === tokenClass.value || shape.secondTokenClass === tokenClass.value))
    sum += boostWeights.tokenClass;
  if (kinds?.value.includes(shape.kind)) sum += boostWeights.kinds;
  if (into && (shape.secondTokenSymbol.toUpperCase() === into.value || shape.secondTokenClass === into.value))
    sum += boostWeights.into;
  return sum;
}

function directionBoost(direction: ParsedQuery['direction'], shape: Shape): number {
  if (!direction || direction.isHard) return 0;
  if (direction.value === shape.direction) return boostWeights.direction;
  return shape.direction === 'self' ? 0 : -boostWeights.direction;
}
