/**
 * Confirmations of a final block if the node has no usable finalized tag.
 * @source docs/mechanisms.md#following-the-head
 */
export const defaultFinalityDepth = 32;
/**
 * Minimum confirmations of a final block, even with a higher finalized tag. Deposits need this many.
 * @source docs/deposits.md#what-the-verdict-checks
 */
const minFinalityDepth = 20;

export interface FinalityInput {
  readonly head: number;
  readonly tag: number | undefined;
  readonly depth: number | undefined;
  readonly previous: number;
}

/**
 * Returns the height up to which blocks are final; it never decreases. Ignores a finalized tag at or above the head, or
 * if `depth` is set.
 */
export function finalizedHeight({ head, tag, depth, previous }: FinalityInput): number {
  const meaningful = depth === undefined && tag !== undefined && tag > 0 && tag < head;
  const height = meaningful ? Math.min(tag, head - minFinalityDepth) : head - (depth ?? defaultFinalityDepth);
  return Math.max(previous, height, 0);
}
