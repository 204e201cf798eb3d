import { categoryPhrases } from './categories.ts';
import { failurePhrases, kindPhrases, statusPhrases } from './kinds.ts';
import { labelPhrases } from './labels.ts';
import { methodPhrases } from './methods.ts';
import { situationPhrases } from './situations.ts';
import { tokenClassPhrases, tokenNamePhrases, tokenPhrases } from './tokens.ts';

export function phraseWords(): Set<string> {
  const texts = [
    ...[kindPhrases, categoryPhrases].flatMap((map) => Object.values(map).flatMap((phrases) => Object.values(phrases))),
    ...labelPhrases.flatMap(([, phrases]) => Object.values(phrases)),
    ...[statusPhrases, methodPhrases, tokenClassPhrases, tokenPhrases].flatMap((map) => Object.values(map)),
    ...[failurePhrases, tokenNamePhrases].flatMap((list) => list.map(([, text]) => text)),
    ...situationPhrases.map(({ text }) => text),
  ];
  return new Set(
    texts
      .join(' ')
      .toLowerCase()
      .match(/[a-z]+/g) ?? [],
  );
}
