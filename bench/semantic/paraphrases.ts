/** Search queries that share few or no words with the events that they should find. */
import { readFileSync } from 'node:fs';
import { getFirst } from '#runtime/lists.ts';
import type { EvaluationKnot, EvaluationQuery } from './evaluation.ts';

type Condition = Readonly<Record<string, string | readonly string[]>>;

interface Paraphrase {
  readonly wallet: string;
  readonly q: string;
  readonly relevant: Condition;
  readonly partly?: Condition;
}

/** Reads the queries. @throws Error if no event is relevant to a query, because such a query measures nothing */
export function readParaphrases(path: string, knots: readonly (EvaluationKnot & { w?: string })[]): EvaluationQuery[] {
  const list = JSON.parse(readFileSync(path, 'utf8')) as Paraphrase[];
  return list.map(({ wallet, q, relevant, partly }, i) => {
    const own = knots.filter(({ w }) => w === wallet);
    const gain = (knot: EvaluationKnot) => (fulfils(knot, relevant) ? 2 : partly && fulfils(knot, partly) ? 1 : 0);
    const rel = Object.fromEntries(own.map((knot) => [knot.id, gain(knot)]).filter(([, value]) => value));
    if (!Object.values(rel).includes(2))
      throw new Error(`no event of the evaluation set is relevant to the query “${q}”`);
    return { type: 'query', id: `p${i}`, wallet: getFirst(own).wallet, q, tag: 'paraphrase', rel };
  });
}

function fulfils(knot: EvaluationKnot, condition: Condition): boolean {
  const fields = knot as unknown as Readonly<Record<string, string | undefined>>;
  return Object.entries(condition).every(([name, wanted]) => [wanted].flat().some((value) => value === fields[name]));
}
