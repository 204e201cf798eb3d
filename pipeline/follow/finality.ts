/** Depth without a usable tag: deposits need 20 confirmations, 32 leaves a margin. @source docs/mechanisms.md#following-the-head */
const defaultFinalityDepth = 32;
/** Minimum depth, whatever the node's tag: the confirmations that deposits need. @source docs/deposits.md#what-the-verdict-checks */
const minFinalityDepth = 20;

export interface FinalityInput {
  readonly head: number;
  /** Undefined: the node has none. */
  readonly tag: number | undefined;
  /** Overrides the tag. */
  readonly depth: number | undefined;
  readonly previous: number;
}

/** Never decreases. Ignores a tag above the head. */
export function finalizedHeight({ head, tag, depth, previous }: FinalityInput): number {
  const meaningful = depth === undefined && tag !== undefined && tag > 0 && tag < head;
  const height = meaningful ? Math.min(tag, head - minFinalityDepth) : head - (depth ?? defaultFinalityDepth);
  return Math.max(previous, height, 0);
}
