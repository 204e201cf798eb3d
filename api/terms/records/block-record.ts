/** A block, as the database has it. */

export interface BlockRecord {
  block_number: string;
  block_hash: string;
  parent_hash: string;
  time: number;
  miner_hex: string;
  gas_limit: string;
  gas_used: string;
  base_fee: string | null;
  size: string;
  transaction_count: number;
  log_count: number;
  fees_wei: string;
  burned_wei: string;
  extra: string;
  state_root_hex: string;
  transactions_root_hex: string;
  receipts_root_hex: string;
  uncle_count: number;
  withdrawal_count: number;
  final: number;
}
