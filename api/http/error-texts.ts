import { z } from 'zod';

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/**
 * Replaces zod's error messages. The parameter's name precedes each message.
 * @source https://zod.dev/error-customization, `customError`
 */
export function useOwnErrorTexts(): void {
  z.config({ customError: issueText });
}

function issueText(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${kinds[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'too_small':
      return `must ${boundText(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${boundText(issue.origin, 'at most', issue.maximum)}`;
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.slice(0, 5).join(', ').slice(0, 100)}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return 'matches none of the accepted formats';
    default:
      return 'has an invalid format';
  }
}

function boundText(origin: string, word: string, bound: number | bigint): string {
  if (origin === 'string') return `have ${word} ${bound} characters`;
  if (origin === 'array' || origin === 'set') return `have ${word} ${bound} entries`;
  return `be ${word} ${bound}`;
}
