import type { KnotIds } from './predicates.ts';
import type { QueryText } from './query-text.ts';

export function takeIds(text: QueryText): KnotIds {
  const hash = text.takeIf(/\b(?:(?:transaction|tx|hash)\s+)?(0x[0-9a-f]{64})(?::(?:\d+|tx))?\b/i, (words, value) => ({
    words: words.trim(),
    value: value.toLowerCase(),
  }));
  const address = text.takeIf(
    /\b(?:(?:to|from|with|address|wallet|contract)\s+)?(0x[0-9a-f]{40})(?![0-9a-f])/i,
    (words, value) => ({ words: words.trim(), value: value.toLowerCase() }),
  );
  const block = text.takeIf(
    /\b(?:in\s+)?(?:block|anchor|height)(?:\s+(?:number|no\.?))?\s*#?\s*(\d[\d,_]{0,17})\b/i,
    // a number that no block has finds nothing
    (words, value) => ({
      words: words.trim(),
      value: Math.min(Number(value.replace(/[,_]/g, '')), Number.MAX_SAFE_INTEGER),
    }),
  );
  const tokenId = text.takeIf(
    /#\s?(\d{1,78})\b|\b(?:token\s*)?(?:id|number|no\.)\s*#?\s*(\d{1,78})\b/i,
    (words, a, b) => ({ words: words.trim(), value: BigInt(a || b).toString() }),
  );
  return {
    ...(hash ? { transactionHash: hash } : {}),
    ...(address ? { address } : {}),
    ...(block ? { blockNumber: block } : {}),
    ...(tokenId ? { tokenId } : {}),
  };
}
