/** Converts a parsed search query to SQL parameters. */
import type { ParsedQuery } from './parse/predicates.ts';

/** Filters that the search may drop. Filters of amount, time, token and id always apply. */
const relaxable = ['direction', 'status', 'tokenClass'] as const;
export type Relaxed = (typeof relaxable)[number];

const latestTime = 2 ** 32 - 1;
/** Relative change that turns an inclusive bound into an exclusive one. */
const step = 2 ** -50;

export interface Scope {
  readonly parameters: ReturnType<typeof toParameters> & ReturnType<typeof dollarParameters>;
  readonly asked: readonly Condition[];
  readonly askedOfShapes: readonly (Condition | 'by_knots' | 'by_shapes')[];
  /** The filters concern single events: the search first finds events, then their shapes. */
  readonly byKnots: boolean;
  /** The filters concern only shapes: events are read from shape_knots, which is sorted by shape. */
  readonly byIndex: boolean;
}

/**
 * @param wallet undefined: all wallets
 * @param throughBlock last block; undefined: all blocks
 */
export function toSearchScope(
  query: ParsedQuery,
  wallet: string | undefined,
  throughBlock: number | undefined,
  dollarPrices: DollarPrices,
): Scope {
  const { ids, time, amount } = query;
  const parameters = { ...toParameters(query, wallet, throughBlock), ...dollarParameters(dollarPrices) };
  const { direction, status, token_class, symbols } = parameters;
  const asksOfShapes = direction || status || token_class || symbols.length > 0;
  const asksOfKnots = Boolean(time || amount || Object.keys(ids).length > 0);
  const byKnots = wallet !== undefined || asksOfKnots;
  const asked = optional.filter((name) => !isNothing(parameters[name]));
  const whole = byKnots ? 'by_knots' : asksOfShapes ? 'by_shapes' : undefined;
  return { parameters, asked, askedOfShapes: whole ? [...asked, whole] : asked, byKnots, byIndex: !byKnots };
}

function toParameters(query: ParsedQuery, wallet: string | undefined, throughBlock: number | undefined) {
  return {
    wallet: wallet?.slice(2) ?? '',
    through_block: throughBlock ?? -1,
    ...timeParameters(query.time),
    ...idParameters(query.ids),
    ...shapeParameters(query),
    ...amountParameters(query.amount),
  };
}

/** Dollars per whole token by lower-case 0x address. The zero address is the coin. */
export type DollarPrices = ReadonlyMap<string, number>;

/** Parameters of the SQL fragment knot_dollars. */
export function dollarParameters(prices: DollarPrices) {
  return { dollar_tokens: [...prices.keys()].map((token) => token.slice(2)), dollar_prices: [...prices.values()] };
}

function timeParameters(time: ParsedQuery['time']) {
  return { from_time: clampTime(time?.fromTime ?? 0), to_time: clampTime(time?.toTime ?? latestTime) };
}

function idParameters({ blockNumber, blocks, transactionHash, address, tokenId }: ParsedQuery['ids']) {
  return {
    from_block: blocks?.from ?? blockNumber?.value ?? -1,
    to_block: blocks?.to ?? blockNumber?.value ?? -1,
    tx_hash: transactionHash?.value.slice(2) ?? '',
    address: address?.value.slice(2) ?? '',
    token_id: tokenId?.value ?? '',
  };
}

function shapeParameters({ direction, status, tokenClass, tokens, isAnyToken, kinds, into }: ParsedQuery) {
  const symbols = tokens.filter(({ isHard }) => isHard).map(({ value }) => value);
  return {
    direction: direction?.isHard ? direction.value : '',
    status: status?.isHard ? status.value : '',
    token_class: tokenClass?.isHard ? tokenClass.value : '',
    symbols,
    // only a swap has two tokens, and no event has three: "swapped USDC or DAI for FAT"
    min_symbols: (into || kinds?.value.includes('swap')) && !isAnyToken ? Math.min(2, symbols.length) : 1,
  };
}

function amountParameters(amount: ParsedQuery['amount']) {
  return {
    amount_unit: amount?.unit ?? '',
    min_amount: bound(amount?.min ?? 0, amount?.isStrict ? step : 0),
    max_amount: bound(amount?.max ?? Number.MAX_VALUE, (amount?.isMaxStrict ?? amount?.isStrict) ? -step : 0),
  };
}

/** Conditions that are omitted if their parameter is empty. */
const optional = [
  ...(['wallet', 'through_block', 'from_block', 'to_block', 'tx_hash', 'address', 'token_id'] as const),
  ...(['direction', 'status', 'token_class', 'symbols', 'amount_unit'] as const),
];
type Condition = (typeof optional)[number];

const isNothing = (value: unknown) => value === '' || value === -1 || (Array.isArray(value) && value.length === 0);

/** Converts droppable filters to boosts, which rank other events lower. */
export function relax(query: ParsedQuery): { query: ParsedQuery; relaxed: Relaxed[] } | undefined {
  const relaxed = relaxable.filter((name) => query[name]?.isHard);
  if (relaxed.length === 0) return undefined;
  const soft = Object.fromEntries(relaxed.map((name) => [name, { ...query[name], isHard: false }]));
  return { query: { ...query, ...soft } as ParsedQuery, relaxed };
}

function clampTime(seconds: number): number {
  return Math.min(Math.max(seconds, 0), latestTime);
}

function bound(value: number, share: number): number {
  return value >= Number.MAX_VALUE
    ? Number.MAX_VALUE
    : value * (1 + share) + (value === 0 && share > 0 ? Number.MIN_VALUE : 0);
}
