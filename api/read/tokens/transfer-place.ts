import type { Position } from '../../terms/cursor.ts';
import type { TransferRecord } from '../../terms/records.ts';

export function transferPlace(row: TransferRecord): Position {
  return { block: Number(row.block_number), index: row.log_index, part: row.batch_index };
}
