import type { Context } from 'koa';
import { BodyPlaces } from '#runtime/budgets/body-places.ts';
import { ApiProblem } from '../terms/errors.ts';

const places = new BodyPlaces();

/** Reads a body; limits large bodies per caller. @throws ApiProblem rate_limited */
export async function inBodyPlace<T>(ctx: Context, read: () => Promise<T>): Promise<T> {
  const leave = places.take(ctx.req.headers, ctx.ip);
  if (!leave) throw new ApiProblem('rate_limited', 'too many large request bodies are being sent: try again later');
  try {
    return await read();
  } finally {
    leave();
  }
}
