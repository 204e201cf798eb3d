import type { KnotIds } from './predicates.ts';
import type { QueryText } from './query-text.ts';

const digits = String.raw`#?\s*(\d[\d,_]{0,17})\b`;
const ordinal = String.raw`(?:\s+(?:numbers?|no\.?))?`;
const named = String.raw`(?:block|anchor|height)${ordinal}\s*${digits}`;
const blocks = String.raw`(?:blocks?|anchors?|heights?)${ordinal}\s*`;
const between = new RegExp(String.raw`\bbetween\s+(?:the\s+)?${blocks}${digits}\s+and\s+(?:${blocks})?${digits}`, 'i');
const fromTo = new RegExp(
  String.raw`\b(?:from\s+)?${blocks}${digits}\s*(?:-|–|to|until|through)\s*(?:${blocks})?${digits}`,
  'i',
);
const since = new RegExp(String.raw`\b(?:since|starting (?:at|from|with))\s+${named}`, 'i');
const onwards = new RegExp(String.raw`\bfrom\s+${named}\s+on(?:wards?)?\b`, 'i');
const after = new RegExp(String.raw`\bafter\s+${named}`, 'i');
const until = new RegExp(String.raw`\b(?:until|till|up to|through)\s+${named}`, 'i');
const before = new RegExp(String.raw`\bbefore\s+${named}`, 'i');

const toBlock = (text: string) => Math.min(Number(text.replace(/[,_]/g, '')), Number.MAX_SAFE_INTEGER);

function takeBlocks(text: QueryText): KnotIds['blocks'] {
  const range = text.takeIf(between, (words, first, last) => {
    const [from = 0, to = 0] = [toBlock(first), toBlock(last)].sort((a, b) => a - b);
    return { words, from, to };
  });
  // "block 100 - 50 USDC" contains an amount, not a range
  const ordered = (words: string, first: string, last: string) =>
    toBlock(first) > toBlock(last) ? undefined : { words, from: toBlock(first), to: toBlock(last) };
  return range ?? text.takeIf(fromTo, ordered) ?? takeBounds(text);
}

function takeBounds(text: QueryText): KnotIds['blocks'] {
  const take = (pattern: RegExp, step = 0) =>
    text.takeIf(pattern, (words, block) => ({ words, block: Math.max(toBlock(block) + step, 0) }));
  const first = take(since) ?? take(onwards) ?? take(after, 1);
  const last = take(until) ?? take(before, -1);
  if (!first && !last) return undefined;
  const words = [first, last].flatMap((bound) => bound?.words ?? []).join(', ');
  return { words, from: first?.block, to: last?.block };
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
  const range = takeBlocks(text);
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
    ...(range ? { blocks: range } : block ? { blockNumber: block } : {}),
    ...(tokenId ? { tokenId } : {}),
  };
}
