/** A call within a transaction that moved value, failed, or made a contract. */

export type InternalType = 'call' | 'create' | 'create2' | 'selfdestruct';

export interface InternalCall {
  readonly type: InternalType;
  /** Lower case, as `to`. */
  readonly from: string;
  /** Recipient, contract made, or heir; null for a contract that did not come to be. */
  readonly to: string | null;
  /** Wei. */
  readonly value: bigint;
  /** Gas given to it, as hex quantity. */
  readonly gas: string;
  readonly gasUsed: string;
  /** Position of each call among those of the call around it, from the outermost in: 0_2_1. */
  readonly traceId: string;
  /** Why it came to nothing: its own fault, else that of a call around it; empty where it took effect. */
  readonly error: string;
}
