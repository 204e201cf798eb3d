/** Tables with rows of blocks, all with the columns final and block_number. */
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
  'blocks', // inserted last
] as const;

/**
 * Tables with data of clients and operators that stays valid on another chain. Without registered withdrawals, which
 * belong to transactions of one chain.
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

/** Tables of wallet events (knots) for the search, from finalized blocks. */
export const knotTables = ['knots', 'shape_knots'] as const;

/** Blocks per rollup window (block range with stored totals). */
export const rollupWindowBlocks = 2_000;

/** Finalized blocks per table partition. An insert into two partitions would not be atomic. */
const blocksPerPartition = 10_000_000;

/** Returns the partition number of a finalized block. */
export const getPartition = (block: number): number => Math.floor(block / blocksPerPartition);
export const firstOfPartition = (block: number): number => getPartition(block) * blocksPerPartition;
export const lastOfPartition = (block: number): number => firstOfPartition(block) + blocksPerPartition - 1;

/** Tables of sums per rollup window or period of time, and of totals up to the end of the last one. */
export const rollupTables = [
  'account_counter_eras',
  'actor_buckets',
  'actor_days',
  'actor_firsts',
  'chart_buckets',
  'sender_last_days',
  'sender_returns',
  'subject_buckets',
  'token_balance_eras',
  'token_balance_eras_by_holder',
  'token_counter_eras',
  'token_holder_count_eras',
  'token_holder_ranks',
] as const;
