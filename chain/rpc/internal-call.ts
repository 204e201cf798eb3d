export type InternalType = 'call' | 'create' | 'create2' | 'selfdestruct';

export interface InternalCall {
  readonly type: InternalType;
  readonly from: string;
  /** Recipient, created contract, or beneficiary of a self-destruct; null for a failed creation. */
  readonly to: string | null;
  /** Wei. */
  readonly value: bigint;
  /** Gas limit, hex. */
  readonly gas: string;
  readonly gasUsed: string;
  /** Path in the call tree, such as 0_2_1: indexes among sibling calls, outermost first. */
  readonly traceId: string;
  /** Error of the call or of an enclosing call. Empty if the call succeeded. */
  readonly error: string;
}
