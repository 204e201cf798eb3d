import { z } from 'zod';
import { ApiProblem } from '../terms/errors.ts';
import type { AnyRoute } from './define-route.ts';

export interface ParsedInput {
  // biome-ignore lint/suspicious/noExplicitAny: typed by the route's own schemas
  readonly params: any;
  // biome-ignore lint/suspicious/noExplicitAny: typed by the route's own schemas
  readonly query: any;
  readonly ignored: string[];
}

interface ParameterError {
  readonly parameter: string;
  readonly message: string;
  readonly given: string;
}

/** Parses parameters and lists unknown ones. @throws ApiProblem bad_query that lists invalid ones */
export function parseInput(
  route: AnyRoute,
  params: Record<string, string>,
  query: URLSearchParams,
  chainId: number,
): ParsedInput {
  const { values, repeated } = firstValues(query);
  const checked = [...Object.entries(params), ...Object.entries(values)];
  // the Etherscan-compatible interface accepts a parameter that is repeated with the same value
  const faults = route.base === '' ? findConflicts(query) : [...repeated, ...foreignAccounts(checked, chainId)];
  const known = route.query instanceof z.ZodObject ? Object.keys(route.query.shape) : undefined;
  const ignored = known ? Object.keys(values).filter((name) => !known.includes(name)) : [];
  for (const name of ignored) delete values[name];
  const parsedParams = route.params.safeParse(params);
  const parsedQuery = route.query.safeParse({ ...values });
  faults.push(...readIssues(parsedParams, params), ...readIssues(parsedQuery, values));
  if (faults.length > 0) {
    throw new ApiProblem('bad_query', faults.map(({ parameter, message }) => `${parameter} ${message}`).join('; '), {
      faults: faults.slice(0, 20),
    });
  }
  return { params: parsedParams.data, query: parsedQuery.data, ignored };
}

function firstValues(query: URLSearchParams) {
  const values: Record<string, string> = Object.create(null);
  const repeated: ParameterError[] = [];
  for (const [name, value] of query) {
    if (name in values)
      repeated.push({ parameter: name.slice(0, 60), message: 'is repeated: send this parameter once', given: '' });
    values[name] ??= value;
  }
  return { values, repeated };
}

/** Returns parameters that have several values. Their names may differ in case. */
function findConflicts(query: URLSearchParams): ParameterError[] {
  const values = new Map<string, string>();
  return [...query].flatMap(([name, value]) => {
    const parameter = name.toLowerCase();
    const first = values.get(parameter) ?? value;
    values.set(parameter, first);
    if (first === value) return [];
    return [{ parameter: parameter.slice(0, 60), message: 'has two values: send one', given: value.slice(0, 100) }];
  });
}

function readIssues(
  { error }: z.ZodSafeParseResult<unknown>,
  source: Readonly<Record<string, string>>,
): ParameterError[] {
  return (error?.issues ?? []).map(({ path, message }) => {
    const parameter = String(path[0] ?? '');
    return { parameter, message: message.slice(0, 300), given: String(source[parameter] ?? '').slice(0, 100) };
  });
}

/** Rejects account ids of other chains: the same address there is another account. @source CAIP-10 */
function foreignAccounts(values: readonly (readonly [string, string])[], chainId: number): ParameterError[] {
  return values.flatMap(([parameter, given]) => {
    const [chain] = given.split(',').flatMap((part) => foreignChain(part, chainId) ?? []);
    if (chain === undefined) return [];
    const message = `is an account of chain ${chain}, but this service indexes eip155:${chainId}: send an address (0x and 40 hex digits) or eip155:${chainId}:0x…`;
    return [{ parameter, message, given: given.slice(0, 100) }];
  });
}

/** Returns the chain of a CAIP-10 account id, if it is another chain. */
export function foreignChain(text: string, chainId: number): string | undefined {
  const [, space, id] = /^\s*([a-z][-a-z0-9]{2,7}):([-_a-zA-Z0-9]{1,32}):0x[0-9a-f]{40}\s*$/i.exec(text) ?? [];
  if (space === undefined || (space.toLowerCase() === 'eip155' && id === String(chainId))) return undefined;
  return `${space}:${id}`;
}
