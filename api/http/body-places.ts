/** Limits how many large request bodies are read at once, because a client that sends slowly keeps its body in memory. */
import type { Context } from 'koa';
import { getAddressPrefix, getNetworkPrefix } from '#runtime/budgets/network.ts';
import { Places } from '#runtime/budgets/places.ts';
import { ApiProblem } from '../terms/errors.ts';

/** Bodies up to this size, uncompressed, need no place. */
const smallBytes = 65_536;
const places = new Places(64, 8, 16);

/** Reads a body in a place of its caller. @throws ApiProblem rate_limited */
export async function inBodyPlace<T>(ctx: Context, read: () => Promise<T>): Promise<T> {
  const leave = isSmall(ctx) ? () => {} : places.take(getAddressPrefix(ctx.ip), getNetworkPrefix(ctx.ip));
  if (typeof leave !== 'function')
    throw new ApiProblem('rate_limited', 'too many large request bodies are being sent: try again later');
  try {
    return await read();
  } finally {
    leave();
  }
}

function isSmall(ctx: Context): boolean {
  const length = ctx.get('Content-Length');
  if (length === '') return ctx.get('Transfer-Encoding') === '';
  return ctx.get('Content-Encoding') === '' && Number(length) <= smallBytes;
}
