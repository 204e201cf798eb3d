/** Which height counts as final. Pure. */

/** Without a tag of the node. @source specification part 8 suggests 20 confirmations; 32 leaves a margin */
const defaultFinalityDepth = 32;
/** Never less than this many blocks behind the head, whatever a node calls finalized. @source specification part 8 */
const minFinalityDepth = 20;

export interface FinalityInput {
  readonly head: number;
  /** Height of the node's finalized block; undefined where it gives none. */
  readonly tag: number | undefined;
  /** Configured depth; wins over the tag. */
  readonly depth: number | undefined;
  /** Finalized height so far. */
  readonly previous: number;
}

/** Finalized height: from the configured depth, else from a tag that lies behind the head, else 32 behind; never goes down. */
export function finalizedHeight({ head, tag, depth, previous }: FinalityInput): number {
  const meaningful = depth === undefined && tag !== undefined && tag > 0 && tag < head;
  const height = meaningful ? Math.min(tag, head - minFinalityDepth) : head - (depth ?? defaultFinalityDepth);
  return Math.max(previous, height, 0);
}
