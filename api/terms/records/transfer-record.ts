/** A token transfer, as the database has it. */
import type { TokenStandard } from '#chain/codec/token-abi.ts';

/** A row of fragment transfer_columns. */
export interface TransferRecord {
  block_number: string;
  log_index: number;
  batch_index: number;
  tx_index: number;
  tx_hash: string;
  timestamp: number;
  token: string;
  standard: TokenStandard;
  from: string;
  to: string;
  token_id: string;
  value: string;
}
