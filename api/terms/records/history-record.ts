/** A row of the history of an address, as the database has it. */

/** A row of the statements history_desc and history_asc. */
export interface HistoryRecord {
  block_number: string;
  tx_index: number;
  roles: number;
  tx_hash: string;
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
  gas_price: string;
  fee: string;
  status: 0 | 1 | null;
  method_id: string;
}
