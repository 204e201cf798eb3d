/** A node did not answer, or its answer is unusable. A retry or another endpoint may succeed. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly reason:
    | 'refused'
    | 'timeout'
    | 'reset'
    | 'http_status'
    | 'throttled'
    | 'bad_body'
    | 'partial_batch'
    | 'node_error';
  readonly retryAfterMs?: number | undefined;
  constructor(
    reason: 'refused' | 'timeout' | 'reset' | 'http_status' | 'throttled' | 'bad_body' | 'partial_batch' | 'node_error',
    message: string,
    retryAfterMs?: number,
  ) {
    super(message);
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

export class NodeError extends Error {
  override readonly name = 'NodeError';
  readonly code: number;
  readonly method: string;
  /** Field `data` of the JSON-RPC error: the bytes that a failed contract returned. */
  readonly data: unknown;
  constructor(code: number, message: string, method: string, data?: unknown) {
    super(`${method}: ${message} (${code})`);
    this.code = code;
    this.method = method;
    this.data = data;
  }

  /** Drops the node's message, because it may contain the caller's input. */
  toTransportError(): TransportError {
    return new TransportError('node_error', `${this.method} failed with error ${this.code}`);
  }
}

/** No node has the account state of the requested block. A retry cannot help. */
export class PrunedStateError extends TransportError {
  /** Block number in hex, or a tag such as latest. */
  readonly tag: string;
  constructor(tag: string, method: string) {
    super('node_error', `${method}: no node has the state of block ${tag}`);
    this.tag = tag;
  }
}

/** The nodes do not have the requested block yet. A retry can help. */
export class FutureBlockError extends TransportError {
  /** @param tag block number in hex */
  constructor(tag: string) {
    super('node_error', `no node has block ${tag} yet`);
  }
}

export class UnsupportedMethodError extends NodeError {}

export type ChainViolation =
  | 'null_block'
  | 'null_receipts'
  | 'null_receipt'
  | 'bad_field'
  | 'wrong_number'
  | 'wrong_block_hash'
  | 'receipt_count'
  | 'receipt_mismatch'
  | 'transaction_index'
  | 'log_mismatch'
  | 'log_index'
  | 'cumulative_gas'
  | 'gas_used'
  | 'bloom'
  | 'contract_address'
  | 'gas_price'
  | 'blob_fee'
  | 'sender'
  | 'parent_link'
  | 'timestamp'
  | 'block_hash'
  | 'transactions_root'
  | 'receipts_root'
  | 'withdrawals_root'
  | 'null_traces'
  | 'trace_count'
  | 'trace_mismatch'
  | 'trace_error'
  | 'trace_shape';

export class InvalidChainData extends Error {
  override readonly name = 'InvalidChainData';
  readonly violation: ChainViolation;
  readonly blockNumber: number;
  readonly detail: string;
  constructor(violation: ChainViolation, blockNumber: number, detail: string) {
    super(`block ${blockNumber}: ${violation}: ${detail}`);
    this.violation = violation;
    this.blockNumber = blockNumber;
    this.detail = detail;
  }
}

/** A node returned a malformed call trace. */
export class NoCallError extends Error {
  override readonly name = 'NoCallError';
}

/** The nodes serve a chain that this database cannot store. The pipeline must write nothing. */
export class WrongChainError extends Error {
  override readonly name = 'WrongChainError';
}
