/** Describes a kind of event (shape) in English words, for the search. */
import { categoryPhrases } from './lexicon/categories.ts';
import { failurePhrases, kindPhrases, type Phrases, statusPhrases } from './lexicon/kinds.ts';
import { labelPhrases } from './lexicon/labels.ts';
import { methodPhrases } from './lexicon/methods.ts';
import { type Situation, situationPhrases } from './lexicon/situations.ts';
import { tokenClassPhrases, tokenNamePhrases, tokenPhrases } from './lexicon/tokens.ts';
import type { Direction, Shape } from './shape.ts';

/** Increment this version after a change of any text, so that stored texts are updated. */
export const renderVersion = 1;

interface RenderedShape {
  readonly facts: string;
  readonly meaning: string;
}

export function renderShape(shape: Shape): RenderedShape {
  return { facts: clean(facts(shape)), meaning: clean(meaning(shape)) };
}

function facts(shape: Shape): string[] {
  return [
    shape.kind.replaceAll('_', ' '),
    shape.tokenSymbol,
    shape.tokenName === shape.tokenSymbol ? '' : shape.tokenName,
    shape.secondTokenSymbol,
    shape.secondTokenName === shape.secondTokenSymbol ? '' : shape.secondTokenName,
    shape.label,
    shape.category,
    shape.method.startsWith('0x') ? '' : shape.method,
    shape.failReason,
  ];
}

function meaning(shape: Shape): string[] {
  const { direction } = shape;
  const names = `${shape.tokenName} ${shape.secondTokenName}`;
  return [
    ...byDirection(find(kindPhrases, shape.kind), direction),
    find(statusPhrases, shape.status) ?? '',
    ...situationPhrases.filter((situation) => applies(situation, shape)).map(({ text }) => text),
    find(methodPhrases, shape.method.toLowerCase()) ?? '',
    ...byDirection(find(categoryPhrases, shape.category), direction),
    ...(shape.label ? labelPhrases.filter(([pattern]) => pattern.test(shape.label)) : []).flatMap(([, phrases]) =>
      byDirection(phrases, direction),
    ),
    find(tokenClassPhrases, shape.tokenClass) ?? '',
    find(tokenClassPhrases, shape.secondTokenClass) ?? '',
    find(tokenPhrases, shape.tokenSymbol.toUpperCase()) ?? '',
    find(tokenPhrases, shape.secondTokenSymbol.toUpperCase()) ?? '',
    ...tokenNamePhrases.filter(([pattern]) => pattern.test(names)).map(([, text]) => text),
    ...(shape.status === 'failed' ? failurePhrases : [])
      .filter(([pattern]) => pattern.test(shape.failReason))
      .map(([, text]) => text),
  ];
}

/** Ignores inherited properties, because a name from the chain may be `constructor`. */
function find<T>(map: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

function byDirection(phrases: Phrases | undefined, direction: Direction): string[] {
  return phrases ? [phrases.any ?? '', find<string>({ ...phrases }, direction) ?? ''] : [];
}

function applies(situation: Situation, shape: Shape): boolean {
  const among = (values: readonly string[] | undefined, value: string) => !values || values.includes(value);
  return (
    among(situation.kind, shape.kind) &&
    (!situation.direction || situation.direction === shape.direction) &&
    (!situation.status || situation.status === shape.status) &&
    among(situation.category, shape.category) &&
    among(situation.method, shape.method.toLowerCase()) &&
    among(situation.tokenClass, shape.tokenClass) &&
    among(situation.secondTokenClass, shape.secondTokenClass)
  );
}

/** Removes repeated phrases, which would score too high. */
function clean(parts: readonly string[]): string {
  return [...new Set(parts.filter((part) => part !== '').flatMap((part) => part.split(/,\s*/)))].join(', ');
}
