/** Parameters of a request through the route's schemas: what is wrong is named, what is unknown is told. */
import { z } from 'zod';
import { ApiProblem } from '../terms/errors.ts';
import type { AnyRoute } from './define-route.ts';

export interface ParsedInput {
  // biome-ignore lint/suspicious/noExplicitAny: typed by the route's own schemas
  readonly params: any;
  // biome-ignore lint/suspicious/noExplicitAny: typed by the route's own schemas
  readonly query: any;
  /** Names that the route does not know; ignored. @source conventions C12 */
  readonly ignored: string[];
}

/** @throws ApiProblem bad_query naming every parameter at fault and what is accepted */
export function parseInput(
  route: AnyRoute,
  params: Record<string, string>,
  query: URLSearchParams,
  chainId: number,
): ParsedInput {
  const faults: { parameter: string; message: string; given: string }[] = [];
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of query) {
    if (name in values && route.base !== '')
      faults.push({ parameter: name.slice(0, 60), message: 'is given twice', given: '' });
    values[name] ??= value;
  }
  // the compatible interface refuses in its own envelope
  const checked = route.base === '' ? [] : [...Object.entries(params), ...Object.entries(values)];
  for (const [parameter, given] of checked) {
    const message = foreignAccount(given, chainId);
    if (message) faults.push({ parameter, message, given: given.slice(0, 100) });
  }
  const known = route.query instanceof z.ZodObject ? Object.keys(route.query.shape) : undefined;
  const ignored = known ? Object.keys(values).filter((name) => !known.includes(name)) : [];
  for (const name of ignored) delete values[name];
  const parsedParams = route.params.safeParse(params);
  const parsedQuery = route.query.safeParse({ ...values });
  for (const [parsed, source] of [[parsedParams, params] as const, [parsedQuery, values] as const]) {
    for (const issue of parsed.error?.issues ?? []) {
      const parameter = String(issue.path[0] ?? '');
      faults.push({
        parameter,
        message: issue.message.slice(0, 300),
        given: String(source[parameter] ?? '').slice(0, 100),
      });
    }
  }
  if (faults.length > 0) {
    throw new ApiProblem('bad_query', faults.map(({ parameter, message }) => `${parameter} ${message}`).join('; '), {
      faults: faults.slice(0, 20),
    });
  }
  return { params: parsedParams.data, query: parsedQuery.data, ignored };
}

/** What is wrong with a CAIP-10 id of another chain: the same 20 bytes are another account there. @source CAIP-10 */
function foreignAccount(text: string, chainId: number): string | undefined {
  const id = text
    .split(',')
    .map((part) => /^\s*([a-z][-a-z0-9]{2,7}):([-_a-zA-Z0-9]{1,32}):0x[0-9a-f]{40}\s*$/i.exec(part))
    .find((match) => match && (match[1]!.toLowerCase() !== 'eip155' || match[2] !== String(chainId)));
  return id
    ? `is an account of chain ${id[1]}:${id[2]}: this service indexes eip155:${chainId}, give 0x and 40 hex digits or eip155:${chainId}:0x…`
    : undefined;
}
