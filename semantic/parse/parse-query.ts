/** Parses the filters and the order of a search query. Never throws. */
import { takeAmount } from './parse-amount.ts';
import { takeDirection, takeKinds, takeOrder, takeStatus, takeTokenClass } from './parse-facets.ts';
import { takeIds } from './parse-ids.ts';
import { takeTime } from './parse-time.ts';
import { findInto, type TokenWords, takeTokens } from './parse-tokens.ts';
import type { ParsedQuery } from './predicates.ts';
import { QueryText } from './query-text.ts';

/** Maximum characters of a search query. Longer queries are truncated. */
export const maxQueryLength = 500;

export function parseQuery(query: string, now: Date, tokens: TokenWords): ParsedQuery {
  const text = new QueryText(query.slice(0, maxQueryLength).replace(/\s+/g, ' ').trim());
  const ids = takeIds(text);
  const amount = takeAmount(text, tokens.symbols);
  const time = takeTime(text, now);
  const into = findInto(text, tokens);
  const symbols = takeTokens(text, tokens);
  const status = takeStatus(text);
  const direction = takeDirection(text);
  return {
    ids,
    amount,
    time,
    into,
    tokens: symbols,
    status,
    direction,
    tokenClass: takeTokenClass(text),
    order: takeOrder(text),
    kinds: takeKinds(text),
    residual: text.rest.replace(/[|\s]+/g, ' ').trim(),
  };
}
