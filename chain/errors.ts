/** Faults of nodes, told apart where they are seen; nobody searches in messages later. */

/** The endpoint did not answer, or not in JSON-RPC: the same call may succeed elsewhere or later. */
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
    | 'node_fault';
  /** What the endpoint asked to wait, ms. */
  readonly retryAfterMs?: number | undefined;
  constructor(
    reason: 'refused' | 'timeout' | 'reset' | 'http_status' | 'throttled' | 'bad_body' | 'partial_batch' | 'node_fault',
    message: string,
    retryAfterMs?: number,
  ) {
    super(message);
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The node answered with a JSON-RPC error. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
  readonly code: number;
  readonly method: string;
  constructor(code: number, message: string, method: string) {
    super(`${method}: ${message} (${code})`);
    this.code = code;
    this.method = method;
  }

  /** For a refusal that is the node's own fault, and may pass. Holds none of the node's words. */
  asFault(): TransportError {
    return new TransportError('node_fault', `${this.method} failed with error ${this.code}`);
  }
}

/** Nodes answer, and none of them has the state of that block: asking again changes nothing. */
export class PrunedStateError extends TransportError {
  /** Height as a quantity, or a tag. */
  readonly tag: string;
  constructor(tag: string, method: string) {
    super('node_fault', `${method}: no node has the state of block ${tag}`);
    this.tag = tag;
  }
}

/** A method that this endpoint does not serve. */
export class UnsupportedMethodError extends NodeError {}

export type ChainFault =
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

/** What the node said contradicts itself or the chain: never stored, fetched again, elsewhere first. */
export class InvalidChainData extends Error {
  override readonly name = 'InvalidChainData';
  readonly fault: ChainFault;
  readonly blockNumber: number;
  constructor(fault: ChainFault, blockNumber: number, detail: string) {
    super(`block ${blockNumber}: ${fault}: ${detail}`);
    this.fault = fault;
    this.blockNumber = blockNumber;
  }
}

/** A trace that is no tree of calls; who knows the block makes it InvalidChainData. */
export class NoCallError extends Error {
  override readonly name = 'NoCallError';
}

/** The node serves another chain than configured or stored: nothing may be written. */
export class WrongChainError extends Error {
  override readonly name = 'WrongChainError';
}
