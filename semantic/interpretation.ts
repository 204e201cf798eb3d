/** Describes how a search query was understood, so that users notice wrong filters. */
import { isoTime } from '#chain/codec/iso-time.ts';
import { known } from '#runtime/known.ts';
import type { AmountBounds, ParsedQuery } from './parse/predicates.ts';

interface InterpretedPredicate {
  readonly field: string;
  readonly value: string;
  /** filter: excludes other events; boost: ranks other events lower; order: sorts the results. */
  readonly effect: 'filter' | 'boost' | 'order';
  readonly words: string;
}

export interface Interpretation {
  readonly predicates: readonly InterpretedPredicate[];
  readonly meaning: string;
  readonly text: string;
}

export function interpret(query: ParsedQuery): Interpretation {
  const predicates = [...shapePredicates(query), ...knotPredicates(query)];
  const said = predicates.map(({ field, value, effect }) =>
    effect === 'filter' ? `${field} ${value}` : effect === 'boost' ? `preferably ${field} ${value}` : `${value} first`,
  );
  const about = query.residual ? [`about “${query.residual}”`] : [];
  return { predicates, meaning: query.residual, text: [...about, ...said].join('; ') || 'everything, newest first' };
}

function shapePredicates(query: ParsedQuery): InterpretedPredicate[] {
  const of = (field: string, predicate: { value: unknown; isHard: boolean; words: string } | undefined) =>
    predicate
      ? [
          {
            field,
            value: [predicate.value].flat().join(' or '),
            effect: predicate.isHard ? ('filter' as const) : ('boost' as const),
            words: predicate.words,
          },
        ]
      : [];
  return [
    ...of('direction', query.direction),
    ...of('status', query.status),
    ...of('kind', query.kinds),
    ...query.tokens.flatMap((token) => of('token', token)),
    ...of('token class', query.tokenClass),
    ...of('turned into', query.into),
  ];
}

function knotPredicates({ amount, time, ids, order }: ParsedQuery): InterpretedPredicate[] {
  const filter = (field: string, value: string, words: string) => ({ field, value, effect: 'filter' as const, words });
  return [
    ...(amount
      ? [filter('amount', `${range(amount)} ${amount.unit === 'usd' ? 'US dollars' : 'tokens'}`, amount.words)]
      : []),
    ...(time ? [filter('time', timeRange(time.fromTime, time.toTime), time.words)] : []),
    ...(ids.transactionHash ? [filter('transaction', ids.transactionHash.value, ids.transactionHash.words)] : []),
    ...(ids.address ? [filter('address', ids.address.value, ids.address.words)] : []),
    ...(ids.blockNumber ? [filter('block', String(ids.blockNumber.value), ids.blockNumber.words)] : []),
    ...(ids.blocks ? [filter('block', blockRange(ids.blocks), ids.blocks.words)] : []),
    ...(ids.tokenId ? [filter('token id', ids.tokenId.value, ids.tokenId.words)] : []),
    ...(order ? [{ field: 'order', value: order.value, effect: 'order' as const, words: order.words }] : []),
  ];
}

function blockRange({ from, to }: NonNullable<ParsedQuery['ids']['blocks']>): string {
  if (from === undefined) return `until ${to}`;
  return to === undefined ? `since ${from}` : `${from} to ${to}`;
}

function range({ min, max, isStrict, isMaxStrict = isStrict }: AmountBounds): string {
  const more = isStrict ? 'more than' : 'at least';
  const less = isMaxStrict ? 'less than' : 'at most';
  if (min !== undefined && max !== undefined)
    return isStrict || isMaxStrict ? `${more} ${min} and ${less} ${max}` : `${min} to ${max}`;
  return min !== undefined ? `${more} ${min}` : `${less} ${max}`;
}

function timeRange(from: number | undefined, to: number | undefined): string {
  if (from === undefined) return `until ${isoTime(known(to, 'the end of a time window'))}`;
  return to === undefined ? `since ${isoTime(from)}` : `${isoTime(from)} to ${isoTime(to)}`;
}
