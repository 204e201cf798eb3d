/** Texts for values that a schema refuses, where the schema has none of its own. Each follows the name of a parameter. */
import { z } from 'zod';

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** @source https://zod.dev/error-customization, `customError` */
export function useOwnErrorTexts(): void {
  z.config({ customError: textOf });
}

function textOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${kinds[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'too_small':
      return `must ${boundOf(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${boundOf(issue.origin, 'at most', issue.maximum)}`;
    case 'unrecognized_keys':
      return `has fields that are not known: ${issue.keys.slice(0, 5).join(', ').slice(0, 100)}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return 'is in none of the accepted forms';
    default:
      return 'is not in the accepted form';
  }
}

function boundOf(origin: string, word: string, bound: number | bigint): string {
  if (origin === 'string') return `have ${word} ${bound} characters`;
  if (origin === 'array' || origin === 'set') return `have ${word} ${bound} entries`;
  return `be ${word} ${bound}`;
}
