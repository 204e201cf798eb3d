/** Tables with rows of blocks. All of them have the columns final and block_number. */
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
  'blocks', // rows of this table are inserted and deleted after those of all other tables
] as const;

/**
 * Tables with data of clients and operators, which stays valid on another chain. Withdrawals are not included: they
 * name transactions of one chain.
 */
export const clientTables = [
  'address_set_members',
  'address_sets',
  'api_key_usage',
  'api_keys',
  'integration_request_senders',
  'integration_requests',
  'linked_wallets',
  'market_venues',
  'private_tags',
  'saved_queries',
  'sign_in_uses',
  'sql_schedules',
  'watch_progress',
  'watches',
] as const;

/** Tables of events (knots) for the search, computed from finalized blocks. */
export const knotTables = ['knots', 'shape_knots'] as const;

/** Number of blocks whose figures a rollup window adds up. */
export const rollupWindowBlocks = 2_000;

/**
 * Finalized blocks per partition of a table. Inserts must not cross a partition, because an insert into two partitions
 * is not atomic.
 */
export const blocksPerPartition = 10_000_000;

/**
 * Tables of totals per rollup window (a range of blocks). A row depends only on the blocks of its own window (column
 * era).
 */
export const rollupTables = [
  'account_counter_eras',
  'holder_balance_eras',
  'token_balance_eras',
  'token_counter_eras',
  'token_holder_count_eras',
] as const;

/** Tables of totals whose rows depend on all earlier blocks. */
export const cumulativeTables = [
  'actor_days',
  'actor_firsts',
  'sender_last_days',
  'sender_returns',
  'subject_buckets',
  'token_holder_ranks',
] as const;
