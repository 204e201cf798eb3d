/** Parses filters and order of a search query. Never throws. */
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
  const amount = takeAmount(text, tokens);
  const time = takeTime(text, now);
  const into = findInto(text, tokens);
  const symbols = takeTokens(text, tokens);
  // " | " marks each removed token. A swap into a token has two tokens, even if "or" is between other tokens
  const isAnyToken = !into && /\|\s+or\s+\|/.test(text.rest);
  const status = takeStatus(text);
  const direction = takeDirection(text);
  return {
    ids,
    amount,
    time,
    into,
    tokens: symbols,
    isAnyToken,
    status,
    direction: direction?.isHard ? direction : (readSide(ids.address?.words) ?? direction),
    tokenClass: takeTokenClass(text),
    order: takeOrder(text),
    kinds: takeKinds(text),
    residual: text.rest.replace(/[|\s]+/g, ' ').trim(),
  };
}

/** Guesses the direction from the words of an address: "payments from 0x…" are probably received. */
function readSide(words = ''): ParsedQuery['direction'] {
  const value = /^from\b/i.test(words) ? 'in' : /^to\b/i.test(words) ? 'out' : undefined;
  return value && { value, isHard: false, words };
}
