/**
 * Finds direction, status, order, kind and token class in a search query. Explicit words (isHard) filter events; other
 * words rank matching events higher. Words with `stays` remain in the text.
 */
import type { Direction, KnotStatus } from '../shape.ts';
import type { Order, ShapePredicate } from './predicates.ts';
import type { QueryText } from './query-text.ts';

interface Facet<T> {
  readonly pattern: RegExp;
  readonly value: T;
  readonly isHard: boolean;
  readonly stays?: boolean;
}

const directions: readonly Facet<Direction>[] = [
  {
    pattern: /\b(?:sent|paid|transferred|given|forwarded|donated) (?:back )?to (?:me|us|my wallet|this wallet)\b/i,
    value: 'in',
    isHard: true,
  },
  { pattern: /\b(?:incoming|inbound|received|receiving|inflows?|receipts|credited)\b/i, value: 'in', isHard: true },
  { pattern: /\b(?:i|we) (?:have )?(?:received|got|was paid|were paid)\b/i, value: 'in', isHard: true },
  { pattern: /\b(?:outgoing|outbound|outflows?|debited)\b/i, value: 'out', isHard: true },
  { pattern: /\b(?:i|we) (?:have )?(?:sent|transferred|paid out)\b/i, value: 'out', isHard: true },
  {
    pattern:
      /\b(?:got|get|getting|came in|arrived|income|earned|earnings|earn|made me|paid me|gave me|sent me|owed me|reimbursed)\b/i,
    value: 'in',
    isHard: false,
    stays: true,
  },
  {
    pattern:
      /\b(?:payments?|transfers?|money|coins?|funds|donations?) from (?!my\b|here\b|the contract\b|[qQ]\d|\d)[\w$]/i,
    value: 'in',
    isHard: false,
    stays: true,
  },
  {
    pattern:
      /\b(?:sent|send|sending|spent|spend|spending|paid|pay|paying|payments?|gave|bills?|costs?|expenses?|fees|donated|donations?)\b/i,
    value: 'out',
    isHard: false,
    stays: true,
  },
  { pattern: /\bfrom (?!my\b|here\b|the contract\b|[qQ]\d|\d)[\w$]/i, value: 'in', isHard: false, stays: true },
  {
    pattern: /\b(?:moved|went|moving|goes|transfer(?:red|s)?|withdrawn|payouts?) (?:\w+ ){0,3}(?:to|onto|into)\b/i,
    value: 'out',
    isHard: false,
    stays: true,
  },
];

const failures = 'failed|failing|failures?|fails|reverted|reverts?|errored|errors?|bounced|declined';
const negated = String.raw`(?:\b(?:not|never|no|without)|n['’]t)\s+(?:(?:any|yet|been)\s+)*`;

const statuses: readonly Facet<KnotStatus>[] = [
  {
    pattern: /\b(?:successful(?:ly)?|succeeded|completed|went through|confirmed)\b(?<!(?:not|n't|un) ?\w+)/i,
    value: 'ok',
    isHard: true,
  },
  {
    pattern: /\b(?:ran|run|running|runs) out of gas\b|\bout[- ]of[- ]gas\b/i,
    value: 'failed',
    isHard: true,
    stays: true,
  },
  {
    pattern: new RegExp(
      String.raw`(?<!${negated})\b(?:${failures}|unsuccessful|did(?:n['’]t| not) (?:go through|work|succeed|complete)|went wrong|broke)\b`,
      'i',
    ),
    value: 'failed',
    isHard: true,
  },
  { pattern: new RegExp(String.raw`(?<!\bor )${negated}(?:${failures}|fail)\b`, 'i'), value: 'ok', isHard: true },
  {
    pattern: /\b(?:rejected|refused|blocked|could(?:n't| not)|unable|not enough|insufficient)\b/i,
    value: 'failed',
    isHard: false,
    stays: true,
  },
];

const orders: readonly Facet<Order>[] = [
  {
    pattern: /\b(?:largest|biggest|highest|greatest|most expensive|priciest|most valuable)\b/i,
    value: 'largest',
    isHard: true,
  },
  { pattern: /\btop \d{1,3}\b|\btop (?=\w+s\b)/i, value: 'largest', isHard: true },
  { pattern: /\b(?:smallest|lowest|tiniest|cheapest|least)\b/i, value: 'smallest', isHard: true },
  { pattern: /\b(?:latest|newest|most recent|last)\b/i, value: 'latest', isHard: true },
  { pattern: /\b(?:earliest|oldest|very first|first)\b(?! edition)/i, value: 'earliest', isHard: true },
  {
    pattern: /\b(?:big|large|huge|sizable|sizeable|substantial|massive|major|significant|whale|hefty)\b/i,
    value: 'largest',
    isHard: false,
  },
  { pattern: /\b(?:small|tiny|little|minor|micro)\b(?! by)/i, value: 'smallest', isHard: false },
  { pattern: /\b(?:recent|recently|lately)\b/i, value: 'latest', isHard: false },
];

const tokenClasses: readonly Facet<string>[] = [
  { pattern: /\bstable ?coins?\b/i, value: 'stablecoin', isHard: true },
  { pattern: /\b(?:meme ?(?:coins?|tokens?)|shit ?coins?)\b/i, value: 'meme token', isHard: false, stays: true },
  { pattern: /\bgovernance tokens?\b/i, value: 'governance token', isHard: false, stays: true },
  { pattern: /\b(?:nfts?|collectibles?)\b/i, value: 'nft collection', isHard: false, stays: true },
];

const kinds: readonly Facet<readonly string[]>[] = [
  { pattern: /\bunwrap(?:s|ped|ping)?\b/i, value: ['unwrap'], isHard: false, stays: true },
  { pattern: /\bwrap(?:s|ped|ping)?\b/i, value: ['wrap'], isHard: false, stays: true },
  {
    pattern:
      /\b(?:swap(?:s|ped|ping)?|trad(?:es?|ed|ing)|convert(?:ed|s|ing)?|conversions?|exchanged)\b(?! platforms?)/i,
    value: ['swap'],
    isHard: false,
    stays: true,
  },
  { pattern: /\bunstak(?:e|es|ed|ing)\b/i, value: ['unstake'], isHard: false, stays: true },
  { pattern: /\b(?:staking )?rewards?\b/i, value: ['reward_claim'], isHard: false, stays: true },
  { pattern: /\bstak(?:e|es|ed|ing)\b/i, value: ['stake'], isHard: false, stays: true },
  { pattern: /\bnft mints?\b|\bmint(?:s|ed|ing)?\b/i, value: ['nft_mint', 'token_mint'], isHard: false, stays: true },
  { pattern: /\bburn(?:s|ed|t|ing)?\b/i, value: ['nft_burn', 'token_burn'], isHard: false, stays: true },
  {
    pattern: /\b(?:approv(?:als?|ed|e|ing)|allowances?|permissions?)\b/i,
    value: ['approval', 'nft_approval'],
    isHard: false,
    stays: true,
  },
  { pattern: /\bdeploy(?:s|ed|ing|ments?)?\b/i, value: ['contract_creation'], isHard: false, stays: true },
  { pattern: /\bbridg(?:e|ed|es|ing)\b/i, value: ['bridge_in', 'bridge_out'], isHard: false, stays: true },
];

export const takeDirection = taker(directions);
export const takeStatus = taker(statuses);
export const takeOrder = taker(orders);
export const takeTokenClass = taker(tokenClasses);
export const takeKinds = taker(kinds);

function taker<T>(facets: readonly Facet<T>[]) {
  return (text: QueryText): ShapePredicate<T> | undefined => {
    for (const { pattern, value, isHard, stays } of facets) {
      const match = stays ? text.find(pattern) : text.take(pattern);
      if (match) return { value, isHard, words: match[0].trim() };
    }
    return undefined;
  };
}
