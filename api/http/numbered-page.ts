/** Numbered pages of lists, for clients that do not follow `nextCursor`. */
import { z } from 'zod';
import { chargeRequests } from '../read/query/query-turns.ts';
import { ApiProblem } from '../terms/errors.ts';
import { maxLimit, maxNumberedRows } from '../terms/primitives.ts';
import type { AnyRoute, RouteInput } from './define-route.ts';
import type { ParsedInput } from './parse-input.ts';

export type AnyInput = RouteInput<ParsedInput['params'], ParsedInput['query'], unknown>;

interface ListReply {
  readonly items?: readonly unknown[];
  /** Rows of account histories, which have no `items`. */
  readonly transactions?: readonly unknown[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}

/** Returns whether a route is a list that accepts `page`. */
export const hasNumberedPages = ({ query }: Pick<AnyRoute, 'query'>): boolean =>
  query instanceof z.ZodObject && Object.hasOwn(query.shape, 'page');

/**
 * Calls the handler. For `page`, first reads and charges the rows of all earlier pages.
 * @throws ApiProblem bad_query, result_window_too_large, rate_limited, and errors of the handler
 */
export async function handlePage<D>(deps: D, route: AnyRoute<D>, input: AnyInput): ReturnType<AnyRoute<D>['handle']> {
  if (!hasNumberedPages(route) || input.query.page === undefined) return route.handle(deps, input);
  const { page, ...query } = input.query;
  const { limit } = query;
  assertNumber(page, query);
  let left = (page - 1) * limit;
  await chargeRequests(input.charge, Math.ceil(left / maxLimit), 'page');
  const read = async (wanted: number, cursor: string | undefined): Promise<ListReply> => {
    const reply = await route.handle(deps, { ...input, query: { ...query, limit: wanted, cursor } });
    assertFull(reply, wanted);
    return reply;
  };
  let cursor: string | undefined;
  while (left > 0) {
    const wanted = Math.min(left, maxLimit);
    const reply = await read(wanted, cursor);
    if (reply.nextCursor === null) return withoutRows(reply, limit);
    left -= wanted;
    cursor = reply.nextCursor;
  }
  return read(limit, cursor);
}

function assertNumber(page: number, { limit, cursor }: { readonly limit: number; readonly cursor?: string }): void {
  if (cursor !== undefined) throw new ApiProblem('bad_query', 'send either page or cursor');
  if (page * limit > maxNumberedRows)
    throw new ApiProblem(
      'result_window_too_large',
      `page * limit must be at most ${maxNumberedRows}: for further rows, send nextCursor of a page as cursor`,
    );
}

/** Rejects a short page, because it would shift the rows of all later pages. */
function assertFull({ items, transactions, hasMore }: ListReply, wanted: number): void {
  if (hasMore && (items ?? transactions ?? []).length < wanted)
    throw new ApiProblem(
      'bad_query',
      'this list has short pages because of its filters, so they have no numbers: send cursor instead of page',
    );
}

const withoutRows = (reply: ListReply, limit: number): ListReply => ({
  ...reply,
  ...(reply.items ? { items: [], limit } : { transactions: [] }),
});
