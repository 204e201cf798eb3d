/** What the node says was emitted up to a block. @source specification 1.7; docs/economy.md for the reply */
import { z } from 'zod';
import { isHash, maxUint256, toQuantity } from '#chain/codec/hex.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { NodeDeps } from '../reader-deps.ts';

const Reply = z.object({
  /** Wei. */
  emitted: z
    .string()
    .regex(/^\d{1,78}$/)
    .transform(BigInt)
    .refine((wei) => wei <= maxUint256),
  /** Of the block that it was asked for. */
  blockHash: z.string().refine(isHash).toLowerCase(),
});

/** @returns wei @throws ApiProblem node_unavailable where no node says it of that very block: no figure is made up */
export async function readNodeEmission(
  { client }: Pick<NodeDeps, 'client'>,
  method: string,
  block: { readonly number: number; readonly hash: string },
): Promise<bigint> {
  const answer = await client.call(method, [toQuantity(block.number)]).catch(() => undefined);
  const { data } = Reply.safeParse(answer);
  if (data?.blockHash !== block.hash)
    throw new ApiProblem('node_unavailable', `no node said by ${method} what was emitted up to this block`);
  return data.emitted;
}
