export type InternalType = 'call' | 'create' | 'create2' | 'selfdestruct';

export interface InternalCall {
  readonly type: InternalType;
  readonly from: string;
  /** Recipient, created contract, or beneficiary of a self-destruct; null for a failed creation. */
  readonly to: string | null;
  /** Wei. */
  readonly value: bigint;
  /** Gas limit of the call, as a hex quantity. */
  readonly gas: string;
  readonly gasUsed: string;
  /**
   * Position in the call tree, like 0_2_1: the index among sibling calls on each level, from the outermost call
   * inwards.
   */
  readonly traceId: string;
  /** Error of the call, or of the enclosing call that failed; empty if the call took effect. */
  readonly error: string;
}
