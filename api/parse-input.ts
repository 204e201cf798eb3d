/** Parameters of a request through the route's schemas: what is wrong is named, what is unknown is told. */
import { z } from 'zod';
import type { AnyRoute } from './define-route.ts';
import { ApiProblem } from './errors.ts';

export interface ParsedInput {
  // biome-ignore lint/suspicious/noExplicitAny: typed by the route's own schemas
  readonly params: any;
  // biome-ignore lint/suspicious/noExplicitAny: typed by the route's own schemas
  readonly query: any;
  /** Names that the route does not know; ignored. @source conventions C12 */
  readonly ignored: string[];
}

/** @throws ApiProblem bad_query naming every parameter at fault and what is accepted */
export function parseInput(route: AnyRoute, params: Record<string, string>, query: URLSearchParams): ParsedInput {
  const faults: { parameter: string; message: string; given: string }[] = [];
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of query) {
    if (name in values && route.base !== '') faults.push({ parameter: name, message: 'is given twice', given: '' });
    values[name] ??= value;
  }
  const known = route.query instanceof z.ZodObject ? Object.keys(route.query.shape) : undefined;
  const ignored = known ? Object.keys(values).filter((name) => !known.includes(name)) : [];
  for (const name of ignored) delete values[name];
  const parsedParams = route.params.safeParse(params);
  const parsedQuery = route.query.safeParse({ ...values });
  for (const [parsed, source] of [[parsedParams, params] as const, [parsedQuery, values] as const]) {
    for (const issue of parsed.error?.issues ?? []) {
      const parameter = String(issue.path[0] ?? '');
      faults.push({ parameter, message: issue.message, given: String(source[parameter] ?? '').slice(0, 100) });
    }
  }
  if (faults.length > 0) {
    throw new ApiProblem('bad_query', faults.map(({ parameter, message }) => `${parameter} ${message}`).join('; '), {
      faults,
    });
  }
  return { params: parsedParams.data, query: parsedQuery.data, ignored };
}
