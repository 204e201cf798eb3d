export interface TransactionRequest {
  readonly from: string;
  readonly to?: string;
  readonly data?: string;
  readonly value?: bigint;
  readonly gas: number;
  readonly type?: number;
}
