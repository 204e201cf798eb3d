import type { KnotIds } from './predicates.ts';
import type { QueryText } from './query-text.ts';

const number = String.raw`#?\s*(\d[\d,_]{0,17})\b`;
const named = String.raw`(?:block|anchor|height)(?:\s+(?:number|no\.?))?\s*${number}`;
const between = new RegExp(String.raw`\bbetween\s+(?:the\s+)?blocks?\s+${number}\s+and\s+(?:block\s+)?${number}`, 'i');
const fromTo = new RegExp(
  String.raw`\b(?:from\s+)?blocks?\s+${number}\s*(?:-|–|to|until|through)\s*(?:block\s+)?${number}`,
  'i',
);
const since = new RegExp(String.raw`\b(?:since|from|starting (?:at|from|with))\s+${named}`, 'i');
const after = new RegExp(String.raw`\bafter\s+${named}`, 'i');
const until = new RegExp(String.raw`\b(?:until|till|up to|through)\s+${named}`, 'i');
const before = new RegExp(String.raw`\bbefore\s+${named}`, 'i');

/** Returns a block number. One that no block has finds nothing. */
const toBlock = (digits: string) => Math.min(Number(digits.replace(/[,_]/g, '')), Number.MAX_SAFE_INTEGER);

function takeBlocks(text: QueryText): KnotIds['blocks'] {
  for (const pattern of [between, fromTo]) {
    const found = text.takeIf(pattern, (words, first, last) => ({ words, from: toBlock(first), to: toBlock(last) }));
    if (found) return found;
  }
  const takeOpen = (pattern: RegExp, bounds: (block: number) => { from?: number; to?: number }) =>
    text.takeIf(pattern, (words, block) => ({ words, from: undefined, to: undefined, ...bounds(toBlock(block)) }));
  return (
    takeOpen(since, (from) => ({ from })) ??
    takeOpen(after, (block) => ({ from: block + 1 })) ??
    takeOpen(until, (to) => ({ to })) ??
    takeOpen(before, (block) => ({ to: Math.max(block - 1, 0) }))
  );
}

export function takeIds(text: QueryText): KnotIds {
  const hash = text.takeIf(/\b(?:(?:transaction|tx|hash)\s+)?(0x[0-9a-f]{64})(?::(?:\d+|tx))?\b/i, (words, value) => ({
    words: words.trim(),
    value: value.toLowerCase(),
  }));
  const address = text.takeIf(
    /\b(?:(?:to|from|with|address|wallet|contract)\s+)?(0x[0-9a-f]{40})(?![0-9a-f])/i,
    (words, value) => ({ words: words.trim(), value: value.toLowerCase() }),
  );
  const blocks = takeBlocks(text);
  const block = text.takeIf(new RegExp(String.raw`\b(?:in\s+)?${named}`, 'i'), (words, value) => ({
    words: words.trim(),
    value: toBlock(value),
  }));
  const tokenId = text.takeIf(
    /#\s?(\d{1,78})\b|\b(?:token\s*)?(?:id|number|no\.)\s*#?\s*(\d{1,78})\b/i,
    (words, a, b) => ({ words: words.trim(), value: BigInt(a || b).toString() }),
  );
  return {
    ...(hash ? { transactionHash: hash } : {}),
    ...(address ? { address } : {}),
    ...(blocks ? { blocks } : block ? { blockNumber: block } : {}),
    ...(tokenId ? { tokenId } : {}),
  };
}
