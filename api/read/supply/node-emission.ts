import { z } from 'zod';
import { isHash, maxUint256, toQuantity } from '#chain/codec/hex.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { NodeDeps } from '../reader-deps.ts';

const Reply = z.object({
  emitted: z
    .string()
    .regex(/^\d{1,78}$/)
    .transform(BigInt)
    .refine((wei) => wei <= maxUint256),
  blockHash: z.string().refine(isHash).toLowerCase(),
});

/**
 * Reads total emission from a node, wei.
 * @throws ApiProblem node_unavailable if no node answers for exactly this block
 * @source docs/economy.md#supply-apiv1supply
 */
export async function readNodeEmission(
  { client }: Pick<NodeDeps, 'client'>,
  method: string,
  block: { readonly number: number; readonly hash: string },
): Promise<bigint> {
  const asked = { minHead: block.number, retries: 1 };
  const answer = await client.call(method, [toQuantity(block.number)], asked).catch(() => undefined);
  const { data } = Reply.safeParse(answer);
  if (data?.blockHash !== block.hash)
    throw new ApiProblem(
      'node_unavailable',
      `no node returned the emission up to block ${block.number} by ${method}; try again`,
    );
  return data.emitted;
}
