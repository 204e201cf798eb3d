/** A transaction, as the database has it. */

/** A row of fragment transaction_columns. */
export interface TransactionRecord {
  block_number: string;
  tx_index: number;
  hash: string;
  block_hash: string;
  timestamp: number;
  type: number;
  from: string;
  to: string | null;
  contract_address: string | null;
  value: string;
  nonce: string;
  gas_limit: string;
  gas_used: string;
  cumulative_gas_used: string;
  gas_price: string;
  max_fee_per_gas: string | null;
  max_priority_fee_per_gas: string | null;
  fee: string;
  status: 0 | 1 | null;
  method_id: string;
  log_count: number;
  final: number;
}

/** The same with what only a single transaction shows; a row of the statement transactions_in_full. */
export interface DetailRecord extends TransactionRecord {
  input: string;
  blob_count: number;
  authorization_count: number;
  blob_gas_used: string | null;
  blob_gas_price: string | null;
}
