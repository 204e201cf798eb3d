/** For eth_sendTransaction: the node signs for its accounts. */
export interface TransactionRequest {
  readonly from: string;
  readonly to?: string;
  readonly data?: string;
  readonly value?: bigint;
  readonly gas: number;
  /** Default 2. */
  readonly type?: number;
}
