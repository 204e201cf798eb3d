/** Tables with columns final and block_number, written by the pipeline directly or through a view. */
export const chainTables = [
  'address_roles',
  'block_figures',
  'block_hashes',
  'block_traces',
  'contract_creations',
  'internal_calls',
  'internal_calls_by_address',
  'logs',
  'logs_by_address',
  'swaps',
  'token_transfers',
  'token_transfers_by_address',
  'transaction_hashes',
  'transactions',
  'blocks', // last: a block's own row goes last and comes last
] as const;

/** Tables of events that are derived from settled blocks in the background. */
export const knotTables = ['knots', 'shape_knots'] as const;

/** Length of an era of rollups, blocks. */
export const rollupWindowBlocks = 2_000;

/** Final blocks in one partition: an insert must not cross it, or it is not atomic. */
export const blocksPerPartition = 10_000_000;

/** Rollups with a column era, each row of which depends on the rows of its era alone. */
export const rollupTables = [
  'account_counter_eras',
  'holder_balance_eras',
  'token_balance_eras',
  'token_counter_eras',
  'token_holder_count_eras',
] as const;

/** Rollups each row of which depends on everything before it. */
export const grownTables = [
  'actor_days',
  'actor_firsts',
  'sender_last_days',
  'sender_returns',
  'subject_buckets',
  'token_holder_ranks',
] as const;
