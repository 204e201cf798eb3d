/** Parameters of eth_sendTransaction. The node signs for its own accounts. */
export interface TransactionRequest {
  readonly from: string;
  readonly to?: string;
  readonly data?: string;
  readonly value?: bigint;
  readonly gas: number;
  /** 0, 1 or 2 (default 2). */
  readonly type?: number;
}
