/** Calls API routes inside this process, so that pages and API return the same data. */
import type { z } from 'zod';
import type { AnyRoute, RouteDefinition } from '../http/define-route.ts';
import { parseInput } from '../http/parse-input.ts';
import { HeadedReply, OtherReply } from '../http/reply.ts';
import type { ChainDeps } from '../read/reader-deps.ts';
import { ApiProblem } from '../terms/errors.ts';
import type { VisitorDeps } from './visitor.ts';

type Given = Readonly<Record<string, string | undefined>>;

export type RouteDeps<R extends AnyRoute> = ChainDeps &
  VisitorDeps &
  (R['handle'] extends (deps: infer D, input: never) => unknown ? D : never);

/**
 * Parses the parameters with the route's schemas, then calls the route. @throws ApiProblem as the route, or
 * rate_limited
 */
export async function callRoute<P extends z.ZodType, Q extends z.ZodType, R extends z.ZodType, B extends z.ZodType, D>(
  deps: NoInfer<D> & ChainDeps & VisitorDeps,
  route: RouteDefinition<P, Q, R, B, 'public', D>,
  params: Record<string, string> = {},
  query: Given = {},
): Promise<z.output<R>> {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const { charge, caller, address = '' } = deps.visitor;
  const cost = (route.cost ?? 1) - 1;
  if (cost > 0) await charge(cost);
  const parsed = parseInput(route, params, new URLSearchParams(given), deps.settings.chainId);
  const input = {
    params: parsed.params,
    query: parsed.query,
    headers: {},
    address,
    charge,
    keep: async () => {},
    caller,
    gone: new AbortController().signal,
    identity: undefined,
    key: undefined,
  };
  const reply = await route.handle(deps, { ...input, body: undefined as z.output<B> });
  if (reply instanceof OtherReply || reply instanceof HeadedReply)
    throw new Error(`a page can only call routes that return JSON; ${route.id} does not`);
  return reply as z.output<R>;
}

/** Reads query parameters. Skips empty values, which HTML forms also send. */
export function readParameters(query: URLSearchParams, ...names: readonly string[]): Record<string, string> {
  const pairs = names.map((name) => [name, query.get(name)?.trim() ?? ''] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}

/** Throws other errors, and rate limits of the visitor, because the page may be cached for other visitors. */
export function returnProblem(error: unknown): ApiProblem {
  if (!(error instanceof ApiProblem) || error.code === 'rate_limited') throw error;
  return error;
}

/** Ignores an ApiProblem, so that a page omits the part whose route failed. */
export function ignoreProblem(error: unknown): undefined {
  returnProblem(error);
}
