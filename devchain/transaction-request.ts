/** Transaction for eth_sendTransaction. The node signs transactions of its own accounts. */
export interface TransactionRequest {
  readonly from: string;
  readonly to?: string;
  readonly data?: string;
  readonly value?: bigint;
  readonly gas: number;
  /** Transaction type. Default: 2. */
  readonly type?: number;
}
