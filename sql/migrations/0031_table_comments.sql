-- 0031_table_comments
-- why:     the comments of tables and columns, which docs/reference/schema.md shows, were hard to understand
-- replay:  safe; only metadata changes, and the same comments are set again. On a cluster, each server stores its own comments.
--          ClickHouse runs an ALTER on all servers only if it has one kind of comment, so tables and columns are separate statements
-- rebuild: not needed: no rows change

ALTER TABLE account_balances MODIFY COMMENT 'Native balance of every known account, at the finalized block where it last changed. Written by pipeline/jobs/account-balances.ts';

ALTER TABLE account_balances
    COMMENT COLUMN address 'Address of the account',
    COMMENT COLUMN block_number 'Finalized block of this balance; the row with the highest block is valid';

ALTER TABLE account_counter_eras MODIFY COMMENT 'Activity figures of each account by closed rollup window (2,000 blocks). Written by pipeline/store/rollups.ts';

ALTER TABLE account_counter_eras
    COMMENT COLUMN era 'Rollup window: block number divided by 2,000',
    COMMENT COLUMN address 'Address of the account',
    COMMENT COLUMN transaction_count 'Transactions in which the account was sender, recipient, created contract or log emitter',
    COMMENT COLUMN sent_count 'Transactions that the account sent',
    COMMENT COLUMN received_count 'Transactions to the account, including its own creation',
    COMMENT COLUMN log_count 'Transactions in which the account emitted a log',
    COMMENT COLUMN value_in 'Value of successful transactions to the account, wei',
    COMMENT COLUMN value_out 'Value of successful transactions from the account, wei',
    COMMENT COLUMN fees 'Transaction fees that the account paid, wei',
    COMMENT COLUMN first_block 'First block of the rollup window with activity of the account',
    COMMENT COLUMN last_block 'Last block of the rollup window with activity of the account',
    COMMENT COLUMN first_time 'Timestamp of first_block',
    COMMENT COLUMN last_time 'Timestamp of last_block';

ALTER TABLE actor_buckets MODIFY COMMENT 'Number of active and new addresses by role and closed time bucket. Written by pipeline/store/rollups.ts';

ALTER TABLE actor_buckets
    COMMENT COLUMN resolution 'Length of the bucket, as in chart_buckets',
    COMMENT COLUMN bucket 'Start of the time bucket, UTC',
    COMMENT COLUMN kind 'Role of the address, same values as kind in actor_firsts',
    COMMENT COLUMN active_count 'Distinct active addresses in the bucket; the counts of several buckets must not be added',
    COMMENT COLUMN new_count 'Addresses that were active for the first time in this bucket; the counts of several buckets may be added';

ALTER TABLE actor_days MODIFY COMMENT 'Addresses that were active on each day, by role. Distinct addresses of a week, month or year are counted from these rows. Written by pipeline/store/rollups.ts';

ALTER TABLE actor_days
    COMMENT COLUMN kind 'Role of the address, same values as kind in actor_firsts',
    COMMENT COLUMN address 'Address that had the role';

ALTER TABLE actor_firsts MODIFY COMMENT 'First activity of each address in each role. Written by pipeline/store/rollups.ts';

ALTER TABLE actor_firsts
    COMMENT COLUMN kind 'Role of the address in the block, such as sender or block builder; pipeline/encode/block-figures.ts lists the roles',
    COMMENT COLUMN address 'Address that had the role',
    COMMENT COLUMN first_block 'First block in which the address had the role',
    COMMENT COLUMN first_time 'Timestamp of first_block';

ALTER TABLE address_roles MODIFY COMMENT 'Transactions of each address: one row for every address that sent it, received it, was created by it or emitted a log in it. Written by pipeline/store';

ALTER TABLE address_roles
    COMMENT COLUMN final '1: the block is finalized, and the row never changes; 0: the block may still be removed by a reorg',
    COMMENT COLUMN address 'Address that took part in the transaction',
    COMMENT COLUMN block_number 'Block number',
    COMMENT COLUMN role 'Strongest role of the address: from is stronger than to, and to is stronger than log; a created contract has the role to',
    COMMENT COLUMN roles 'All roles of the address as bits: bit 0 from, bit 1 to, bit 2 log',
    COMMENT COLUMN timestamp 'Timestamp of the block',
    COMMENT COLUMN type 'EIP-2718 type of the transaction',
    COMMENT COLUMN from 'Sender of the transaction',
    COMMENT COLUMN contract_address 'Contract that the transaction created; null if none',
    COMMENT COLUMN value 'Transferred native value, wei',
    COMMENT COLUMN gas_price 'Effective gas price of the transaction, wei',
    COMMENT COLUMN fee 'Transaction fee, wei',
    COMMENT COLUMN method_id 'First 4 bytes of the call data; empty if the call data is shorter';

ALTER TABLE address_set_members MODIFY COMMENT 'Addresses in the address sets of clients. Written by the API';

ALTER TABLE address_set_members
    COMMENT COLUMN set_id 'Id of the address set',
    COMMENT COLUMN address 'Address in the set',
    COMMENT COLUMN is_member '1: the address is in the set; 0: it was removed',
    COMMENT COLUMN version 'Time of the last change, Unix milliseconds; the row with the highest version is valid';

ALTER TABLE address_sets MODIFY COMMENT 'Sets of addresses that a client watches together. Written by the API';

ALTER TABLE address_sets
    COMMENT COLUMN id 'Random id; clients request the set by it',
    COMMENT COLUMN created_at 'Time of creation',
    COMMENT COLUMN used_at 'Time of the last request for the set, updated once per hour',
    COMMENT COLUMN is_removed '1: the set was deleted',
    COMMENT COLUMN version 'Time of the last change, Unix milliseconds; the row with the highest version is valid';

ALTER TABLE anchor_events MODIFY COMMENT 'Added and removed blocks at the head of the chain, in order. Written by pipeline/follow/anchor-log.ts after the new chain state is stored; read by streams and /reorgs';

ALTER TABLE anchor_events
    COMMENT COLUMN sequence 'Number of the event, from 1, without gaps',
    COMMENT COLUMN kind 'added: the block became the head; removed: a reorg removed the block',
    COMMENT COLUMN block_number 'Block number',
    COMMENT COLUMN parent_hash 'Hash of the previous block',
    COMMENT COLUMN timestamp 'Timestamp in the block header',
    COMMENT COLUMN written_at 'Time at which the event was written';

ALTER TABLE api_key_usage MODIFY COMMENT 'Requests per API key, day and API process. Each process writes its counts every second';

ALTER TABLE api_key_usage
    COMMENT COLUMN key_id 'Id of the API key',
    COMMENT COLUMN day 'Day, UTC',
    COMMENT COLUMN counter 'Random id of the API process that counted; each process counts from 0, so the counts of all processes are added',
    COMMENT COLUMN calls 'Requests that this process has received on that day',
    COMMENT COLUMN cost 'Sum of the rate limit cost of these requests; the cost depends on the route',
    COMMENT COLUMN used_at 'Time of the last of these requests';

ALTER TABLE api_keys MODIFY COMMENT 'API keys of clients. Written by the API';

ALTER TABLE api_keys
    COMMENT COLUMN secret_hash 'SHA-256 of the complete key; the key itself is not stored',
    COMMENT COLUMN id 'Random id, used to list and to revoke the key',
    COMMENT COLUMN owner 'Identity that created the key',
    COMMENT COLUMN name 'Name that the owner gave to the key',
    COMMENT COLUMN prefix 'First characters of the key, for display',
    COMMENT COLUMN last4 'Last 4 characters of the key, for display',
    COMMENT COLUMN created_at 'Time of creation',
    COMMENT COLUMN revoked_at 'Time at which the key was revoked; 1970 while it is active',
    COMMENT COLUMN version 'Time of the last change, Unix milliseconds; the row with the highest version is valid';

ALTER TABLE audits MODIFY COMMENT 'Block ranges that the auditor compared with the node. Written by pipeline/jobs/audit.ts';

ALTER TABLE audits
    COMMENT COLUMN audited_at 'Time of the comparison',
    COMMENT COLUMN from_block 'First block of the range, inclusive',
    COMMENT COLUMN to_block 'Last block of the range, inclusive',
    COMMENT COLUMN differences 'Number of rows that differed from the node; if any differed, the range was stored again',
    COMMENT COLUMN detail 'Description of the first difference; empty if there was none';

ALTER TABLE block_figures MODIFY COMMENT 'Figures of each block that charts add up, such as gas, fees and active addresses. Written by pipeline/encode/block-figures.ts';

ALTER TABLE block_figures
    COMMENT COLUMN final 'Same as final in blocks: 1 for a finalized block, else 0',
    COMMENT COLUMN block_number 'Block number',
    COMMENT COLUMN timestamp 'Timestamp of the block',
    COMMENT COLUMN block_count 'Always 1, so that a sum counts the blocks',
    COMMENT COLUMN empty_block_count '1 if the block has no transactions, else 0',
    COMMENT COLUMN gas_used 'Gas used in the block',
    COMMENT COLUMN gas_limit 'Gas limit of the block',
    COMMENT COLUMN fees 'Sum of transaction fees in the block, wei',
    COMMENT COLUMN burned 'Burned fees of the block, wei',
    COMMENT COLUMN block_bytes 'Size of the block, bytes',
    COMMENT COLUMN log_count 'Number of logs in the block',
    COMMENT COLUMN transaction_count 'Number of transactions in the block',
    COMMENT COLUMN failed_gas_used 'Gas used by the failed transactions',
    COMMENT COLUMN failed_fees 'Fees of the failed transactions, wei',
    COMMENT COLUMN plain_count 'Transactions to an address, without call data',
    COMMENT COLUMN authorization_count 'Number of EIP-7702 authorizations',
    COMMENT COLUMN native_value 'Sum of the values of these native transfers, wei',
    COMMENT COLUMN token_transfer_count 'Token transfers; each item of an ERC-1155 batch counts as one',
    COMMENT COLUMN erc20_transfer_count 'Number of these transfers that are of TOKEN-20 (ERC-20) tokens',
    COMMENT COLUMN user_op_count 'ERC-4337 user operations, counted by their UserOperationEvent log',
    COMMENT COLUMN actor_kinds 'Roles of the addresses in the column actors: entry n is the role of address n',
    COMMENT COLUMN actors 'Addresses that had a role in the block; one entry per role and address';

ALTER TABLE block_hashes MODIFY COMMENT 'Block numbers by block hash. Written by block_hashes__from_blocks_mv';

ALTER TABLE block_hashes
    COMMENT COLUMN final 'Same as final in blocks: 1 for a finalized block, else 0',
    COMMENT COLUMN block_number 'Block number; a reader must compare the complete hash, because prefixes can collide';

ALTER TABLE block_traces MODIFY COMMENT 'Blocks whose internal calls are stored. Written by pipeline/store with the block, or by pipeline/traces later';

ALTER TABLE block_traces
    COMMENT COLUMN final 'Same as final in internal_calls: 1 for a finalized block, else 0',
    COMMENT COLUMN block_number 'Block number',
    COMMENT COLUMN transaction_count 'Number of transactions of the block; all of them were traced',
    COMMENT COLUMN call_count 'Number of rows that the block has in internal_calls';

ALTER TABLE blocks
    COMMENT COLUMN final '1: the block is finalized, and the row never changes; 0: the block may still be removed by a reorg',
    COMMENT COLUMN block_number 'Block number',
    COMMENT COLUMN parent_hash 'Hash of the previous block',
    COMMENT COLUMN timestamp 'Timestamp in the block header',
    COMMENT COLUMN miner 'Block producer, header field miner',
    COMMENT COLUMN size 'Block size that the node reported, bytes',
    COMMENT COLUMN nonce 'Header field nonce',
    COMMENT COLUMN parent_beacon_block_root 'Parent beacon block root; null before Cancun',
    COMMENT COLUMN uncle_count 'Number of uncle blocks',
    COMMENT COLUMN withdrawal_count 'Number of validator withdrawals in the block',
    COMMENT COLUMN transaction_count 'Number of transactions in the block',
    COMMENT COLUMN log_count 'Number of logs in the block',
    COMMENT COLUMN burned 'Burned fees: base fee times gas used plus blob fees, wei';

ALTER TABLE chain_identity MODIFY COMMENT 'Identity of the chain in this database. Written by the pipeline at its first start';

ALTER TABLE chain_identity
    COMMENT COLUMN key 'Always 0, because a database contains one chain',
    COMMENT COLUMN chain_id 'Chain id that the node returned for eth_chainId';

ALTER TABLE chain_state MODIFY COMMENT 'Indexing progress: which blocks a reader may read. The pipeline writes a new state after it has stored the rows of the blocks';

ALTER TABLE chain_state
    COMMENT COLUMN key 'Always 0, because a database has one state',
    COMMENT COLUMN version 'Increases with every change; the row with the highest version is the state',
    COMMENT COLUMN start_block 'First block to index',
    COMMENT COLUMN backfilled_before 'All finalized blocks from start_block up to this one, exclusive, are stored',
    COMMENT COLUMN follow_from 'All finalized blocks from this one up to finalized are stored',
    COMMENT COLUMN finalized 'Highest finalized block that is completely stored; only a rewind lowers it',
    COMMENT COLUMN head 'Highest block that is completely stored; at or above finalized',
    COMMENT COLUMN head_hash 'Hash of the block in head',
    COMMENT COLUMN chain_head 'Highest block that the node reported',
    COMMENT COLUMN dropped_through 'Rows with final = 0 may be deleted for blocks up to this one',
    COMMENT COLUMN parked 'Quarantined blocks: they are below backfilled_before but missing, because no endpoint returned valid data',
    COMMENT COLUMN epoch 'Reorg generation: increases with every reorg and rewind, before rows are removed',
    COMMENT COLUMN era_through 'All rollup windows (2,000 blocks) before this block, exclusive, are closed',
    COMMENT COLUMN hour_through 'All hourly rollups before this time, exclusive, are closed',
    COMMENT COLUMN day_through 'All daily rollups before this time, exclusive, are closed',
    COMMENT COLUMN updated_at 'Time at which this state was written',
    COMMENT COLUMN doubted_from 'First finalized block for which a node reported another hash; no block from it on is shown as final. 0: none',
    COMMENT COLUMN doubted_since 'Time at which the other hash was first reported',
    COMMENT COLUMN doubt 'Description of the contradiction: endpoint, block and both hashes',
    COMMENT COLUMN reorg_intent 'Reorg in progress, as JSON: readers no longer see its removed blocks; empty once the reorg is recorded in reorgs';

ALTER TABLE chart_buckets MODIFY COMMENT 'Chain figures by closed time bucket. Written by pipeline/store/rollups.ts';

ALTER TABLE chart_buckets
    COMMENT COLUMN resolution 'Length of the time bucket; a week begins on Monday',
    COMMENT COLUMN bucket 'Start of the time bucket, UTC',
    COMMENT COLUMN first_block 'First block of the bucket',
    COMMENT COLUMN last_block 'Last block of the bucket',
    COMMENT COLUMN block_count 'Number of blocks',
    COMMENT COLUMN gas_used 'Sum of gas used',
    COMMENT COLUMN fees 'Sum of transaction fees, wei',
    COMMENT COLUMN burned 'Sum of burned fees, wei',
    COMMENT COLUMN log_count 'Number of logs',
    COMMENT COLUMN interval_count 'Number of blocks whose previous block is stored, so that the block time can be computed',
    COMMENT COLUMN interval_seconds 'Sum of block times, seconds',
    COMMENT COLUMN interval_max 'Longest block time, seconds',
    COMMENT COLUMN interval_p95 '95th percentile of block times, seconds; null for weeks, months and years',
    COMMENT COLUMN peak_tps_milli 'Highest transactions per second of a single block, in thousandths; a block time below 1 s counts as 1 s',
    COMMENT COLUMN transaction_count 'Number of transactions',
    COMMENT COLUMN failed_gas_used 'Gas used by the failed transactions',
    COMMENT COLUMN failed_fees 'Fees of the failed transactions, wei',
    COMMENT COLUMN plain_count 'Transactions to an address, without call data',
    COMMENT COLUMN authorization_count 'Number of EIP-7702 authorizations',
    COMMENT COLUMN native_value 'Sum of the values of these native transfers, wei',
    COMMENT COLUMN value_p50 'Median value of native transfers, wei; null for weeks, months and years, and without transfers',
    COMMENT COLUMN value_p99 '99th percentile of the value of native transfers, wei; null where value_p50 is null',
    COMMENT COLUMN gas_price_max 'Highest effective gas price, wei; null without transactions',
    COMMENT COLUMN gas_price_p50 'Median effective gas price, wei; null for weeks, months and years',
    COMMENT COLUMN gas_price_p90 '90th percentile of effective gas prices, wei',
    COMMENT COLUMN gas_price_p99 '99th percentile of effective gas prices, wei',
    COMMENT COLUMN fee_p50 'Median transaction fee, wei; null for weeks, months and years',
    COMMENT COLUMN fee_p90 '90th percentile of transaction fees, wei',
    COMMENT COLUMN fee_p99 '99th percentile of transaction fees, wei',
    COMMENT COLUMN token_transfer_count 'Token transfers; each item of an ERC-1155 batch counts as one',
    COMMENT COLUMN erc20_transfer_count 'Number of these transfers that are of TOKEN-20 (ERC-20) tokens',
    COMMENT COLUMN user_op_count 'ERC-4337 user operations, counted by their UserOperationEvent log';

ALTER TABLE checkpoints MODIFY COMMENT 'Signed checkpoints: counts and digests of the indexed tables up to a block. Written by the API';

ALTER TABLE checkpoints
    COMMENT COLUMN number 'Number of the checkpoint, from 1; two checkpoints with the same number are a fork of the checkpoint chain',
    COMMENT COLUMN digest 'Keccak-256 of the column document',
    COMMENT COLUMN document 'JSON document: block, hash, counts and digests by table, digest of the previous checkpoint',
    COMMENT COLUMN signature 'EIP-191 signature of the document by the key of the service',
    COMMENT COLUMN signer 'Address of the key that signed',
    COMMENT COLUMN block 'Last block that the checkpoint includes',
    COMMENT COLUMN created_at 'Time of creation';

ALTER TABLE contract_creations MODIFY COMMENT 'Contracts that were created by a transaction; contracts created by other contracts are not included. Written by contract_creations__from_transactions_mv';

ALTER TABLE contract_creations
    COMMENT COLUMN final 'Same as final in transactions: 1 for a finalized block, else 0',
    COMMENT COLUMN address 'Created contract',
    COMMENT COLUMN block_number 'Block of the creation',
    COMMENT COLUMN tx_index 'Position of the creating transaction in the block',
    COMMENT COLUMN tx_hash 'Hash of the creating transaction',
    COMMENT COLUMN creator 'Sender of the creating transaction',
    COMMENT COLUMN timestamp 'Timestamp of the block';

ALTER TABLE holder_balance_eras MODIFY COMMENT 'Token balance changes by holder and closed rollup window: the rows of token_balance_eras, sorted by holder. Written by holder_balance_eras__from_token_balance_eras_mv';

ALTER TABLE holder_balance_eras
    COMMENT COLUMN era 'Rollup window: block number divided by 2,000',
    COMMENT COLUMN standard 'Token standard of the events',
    COMMENT COLUMN token_id 'Token id; 0 for TOKEN-20 (ERC-20) tokens',
    COMMENT COLUMN holder 'Owner of the tokens',
    COMMENT COLUMN delta 'Amount received minus amount sent in the rollup window, smallest unit, modulo 2^256',
    COMMENT COLUMN delta_high 'Sum of the same amounts, each divided by 2^128; delta and delta_high together give the exact sum',
    COMMENT COLUMN transfer_count 'Number of transfers from and to the holder in the rollup window';

ALTER TABLE integration_request_senders MODIFY COMMENT 'Senders of integration requests of the last day, to limit the requests per sender and hour. Written by the API before it stores the request';

ALTER TABLE integration_request_senders
    COMMENT COLUMN sender_network 'IPv4 address, or /64 network of the IPv6 address, that sent a request',
    COMMENT COLUMN received_at 'Time at which the request arrived',
    COMMENT COLUMN place 'Random id that distinguishes requests that arrived at the same time';

ALTER TABLE integration_requests MODIFY COMMENT 'Requests of organizations that want to integrate the chain. Written by the API';

ALTER TABLE integration_requests
    COMMENT COLUMN id 'Id that the API returned to the sender',
    COMMENT COLUMN idempotency_key 'SHA-256 of the idempotency key of the request, hex; empty if none was sent',
    COMMENT COLUMN organization 'Organization that sends the request',
    COMMENT COLUMN contact_email 'Email address for the reply',
    COMMENT COLUMN website 'Website of the organization',
    COMMENT COLUMN type 'Type of the organization: exchange, wallet, custodian or data',
    COMMENT COLUMN chain_use 'What the organization wants to use the chain for',
    COMMENT COLUMN message 'Additional message of the sender',
    COMMENT COLUMN expected_volume 'Expected volume, as the sender wrote it; empty if not given',
    COMMENT COLUMN sender_address 'IP address of the sender',
    COMMENT COLUMN received_at 'Time at which the request first arrived';

ALTER TABLE internal_calls MODIFY COMMENT 'Internal calls of transactions that transfer value or create a contract. Written by pipeline/store and pipeline/traces';

ALTER TABLE internal_calls
    COMMENT COLUMN final '1: the block is finalized, and the row never changes; 0: the block may still be removed by a reorg',
    COMMENT COLUMN block_number 'Block number',
    COMMENT COLUMN call_index 'Position among the stored internal calls of the transaction, in the order of execution',
    COMMENT COLUMN timestamp 'Timestamp of the block',
    COMMENT COLUMN type 'call and selfdestruct are stored only if they have value; create and create2 are stored without value too',
    COMMENT COLUMN from 'Contract that makes the call, creates the contract or destructs itself',
    COMMENT COLUMN to 'Recipient, created contract or beneficiary of a selfdestruct; null if the creation failed',
    COMMENT COLUMN value 'Value of the call, wei',
    COMMENT COLUMN gas 'Gas limit of the call',
    COMMENT COLUMN gas_used 'Gas that the call used',
    COMMENT COLUMN trace_id 'Path of the call in the call tree, from the outermost call, such as 0_2_1; nodes differ in whether they count calls of precompiles',
    COMMENT COLUMN error 'Error of the call, or of the call that contains it; empty if the value was transferred';

ALTER TABLE internal_calls_by_address MODIFY COMMENT 'Internal calls by caller and by recipient. Written by internal_calls_by_address__from_internal_calls_mv';

ALTER TABLE internal_calls_by_address
    COMMENT COLUMN final 'Same as final in internal_calls: 1 for a finalized block, else 0',
    COMMENT COLUMN address 'Caller or recipient; a call of an address to itself has one row',
    COMMENT COLUMN block_number 'Block number',
    COMMENT COLUMN call_index 'Position among the stored internal calls of the transaction, in the order of execution',
    COMMENT COLUMN timestamp 'Timestamp of the block',
    COMMENT COLUMN type 'Type of the call, as in internal_calls',
    COMMENT COLUMN from 'Contract that makes the call, creates the contract or destructs itself',
    COMMENT COLUMN to 'Recipient, created contract or beneficiary of a selfdestruct',
    COMMENT COLUMN value 'Value of the call, wei',
    COMMENT COLUMN gas 'Gas limit of the call',
    COMMENT COLUMN gas_used 'Gas that the call used',
    COMMENT COLUMN trace_id 'Path of the call in the call tree, as in internal_calls',
    COMMENT COLUMN error 'Error of the call, or of the call that contains it; empty if the value was transferred';

ALTER TABLE job_marks MODIFY COMMENT 'Progress of background jobs. Written by pipeline/jobs';

ALTER TABLE job_marks
    COMMENT COLUMN job 'Name of the background job',
    COMMENT COLUMN through 'Last block that the job has processed',
    COMMENT COLUMN version 'Time of the last change, Unix milliseconds; the row with the highest version is valid',
    COMMENT COLUMN written_at 'Time at which this row was written';

ALTER TABLE knots MODIFY COMMENT 'Logs and native transfers (knots) by wallet: one row for each wallet that takes part in the event. Written by the pipeline';

ALTER TABLE knots
    COMMENT COLUMN wallet 'Wallet to whose history this event belongs',
    COMMENT COLUMN timestamp 'Timestamp of the block',
    COMMENT COLUMN block_number 'Block number',
    COMMENT COLUMN log_index 'Position of the log in the block; -1 if the event is the transaction itself',
    COMMENT COLUMN part 'Number of the token within a log that transfers several tokens, from 0',
    COMMENT COLUMN kind 'Kind of event, as in shapes',
    COMMENT COLUMN direction 'in, out or self, seen from the wallet',
    COMMENT COLUMN status 'ok or failed',
    COMMENT COLUMN token 'Token contract; zero address for the native coin',
    COMMENT COLUMN token_symbol 'Symbol of the token',
    COMMENT COLUMN token_class 'Class of the token, as in shapes',
    COMMENT COLUMN amount 'Exact amount in the smallest unit; 1 for an ERC-721 token',
    COMMENT COLUMN decimals 'Decimals of the token',
    COMMENT COLUMN amount_value 'Amount in complete tokens, rounded; only for comparisons',
    COMMENT COLUMN second_token 'Contract of the token received in exchange; zero address for the native coin or if there is none',
    COMMENT COLUMN second_token_symbol 'Symbol of the token received in exchange',
    COMMENT COLUMN second_token_class 'Class of the token received in exchange',
    COMMENT COLUMN second_amount 'Exact amount received in exchange, in the smallest unit',
    COMMENT COLUMN second_decimals 'Decimals of the token received in exchange',
    COMMENT COLUMN second_amount_value 'Amount received in exchange, in complete tokens, rounded; only for comparisons',
    COMMENT COLUMN token_id 'Token id of an NFT; null for other tokens',
    COMMENT COLUMN counterparty 'The other address of the event; zero address if there is none',
    COMMENT COLUMN method_id 'Method selector of the call; zeros for a plain transfer',
    COMMENT COLUMN method 'Name or selector of the called method, as in shapes',
    COMMENT COLUMN fee 'Transaction fee if the wallet is the sender, wei; else 0',
    COMMENT COLUMN usd 'Value in US dollars at the time of the event; null if no price was known',
    COMMENT COLUMN shape_id 'Id of the kind of event in the table shapes',
    COMMENT COLUMN version 'Time at which the row was last written, Unix milliseconds; the highest version is valid';

ALTER TABLE linked_wallets MODIFY COMMENT 'Wallets that are linked to identities (accounts of clients). Written by the API';

ALTER TABLE linked_wallets
    COMMENT COLUMN identity 'Identity: wallet:0x… or oidc:<issuer>#<subject>',
    COMMENT COLUMN wallet 'Wallet; its owner proved control by a signature',
    COMMENT COLUMN is_linked '1: linked; 0: no longer linked',
    COMMENT COLUMN linked_at 'Time at which the wallet was linked',
    COMMENT COLUMN version 'Time of the last change, Unix milliseconds; the row with the highest version is valid';

ALTER TABLE logs
    COMMENT COLUMN final '1: the block is finalized, and the row never changes; 0: the block may still be removed by a reorg',
    COMMENT COLUMN block_number 'Block number',
    COMMENT COLUMN log_index 'Position of the log in the block',
    COMMENT COLUMN tx_index 'Position of the transaction in the block',
    COMMENT COLUMN tx_hash 'Hash of the transaction',
    COMMENT COLUMN timestamp 'Timestamp of the block',
    COMMENT COLUMN address 'Contract that emitted the log',
    COMMENT COLUMN topic_count 'Number of topics, 0 to 4',
    COMMENT COLUMN topic0 'First topic; 32 zero bytes if the log has none',
    COMMENT COLUMN topic1 'Second topic; 32 zero bytes if the log has none',
    COMMENT COLUMN topic2 'Third topic; 32 zero bytes if the log has none',
    COMMENT COLUMN topic3 'Fourth topic; 32 zero bytes if the log has none',
    COMMENT COLUMN data 'Data of the log, raw bytes';

ALTER TABLE logs_by_address MODIFY COMMENT 'Positions and topics of logs, sorted by the contract that emitted them. The data of a log is only in logs. Written by logs_by_address__from_logs_mv';

ALTER TABLE logs_by_address
    COMMENT COLUMN final 'Same as final in logs: 1 for a finalized block, else 0',
    COMMENT COLUMN address 'Contract that emitted the log',
    COMMENT COLUMN topic0 'First topic; 32 zero bytes if the log has none',
    COMMENT COLUMN block_number 'Block number',
    COMMENT COLUMN log_index 'Position of the log in the block',
    COMMENT COLUMN topic1 'Second topic; 32 zero bytes if the log has none',
    COMMENT COLUMN topic2 'Third topic; 32 zero bytes if the log has none',
    COMMENT COLUMN topic3 'Fourth topic; 32 zero bytes if the log has none';

ALTER TABLE market_venues MODIFY COMMENT 'Exchange order books from which market data is read. The API adds a venue after it has tested the feed';

ALTER TABLE market_venues
    COMMENT COLUMN id 'Id made from venue and pair',
    COMMENT COLUMN venue 'Name of the exchange, as displayed',
    COMMENT COLUMN pair 'Base and quote currency, such as FAT/USDT',
    COMMENT COLUMN feed_url 'URL of the order book, HTTPS',
    COMMENT COLUMN venue_kind 'Kind of venue; cex: centralized exchange',
    COMMENT COLUMN adapter 'Format of the feed, detected by the test',
    COMMENT COLUMN created_at 'Time at which the venue was added',
    COMMENT COLUMN is_removed '1: the venue was removed',
    COMMENT COLUMN version 'Time of the last change, Unix milliseconds; the row with the highest version is valid';

ALTER TABLE orphaned_transactions MODIFY COMMENT 'Transactions of blocks that a reorg removed, copied before their rows are deleted. Written by pipeline/store/keep-orphans.ts';

ALTER TABLE orphaned_transactions
    COMMENT COLUMN tx_index 'Position of the transaction in the removed block',
    COMMENT COLUMN block_number 'Number of the removed block',
    COMMENT COLUMN from 'Sender of the transaction',
    COMMENT COLUMN to 'Recipient; null for a contract creation',
    COMMENT COLUMN contract_address 'Contract that the transaction created; null if none',
    COMMENT COLUMN value 'Transferred native value, wei',
    COMMENT COLUMN status 'Receipt status in the removed block: 1 success, 0 failure',
    COMMENT COLUMN timestamp 'Timestamp of the removed block';

ALTER TABLE parked_blocks MODIFY COMMENT 'Quarantined blocks: history is indexed without them because no endpoint returned valid data. Written by the backfill; read by /status';

ALTER TABLE parked_blocks
    COMMENT COLUMN block_number 'Number of the quarantined block',
    COMMENT COLUMN reason 'Description of the last error',
    COMMENT COLUMN attempts 'Number of attempts to fetch the block',
    COMMENT COLUMN resolved '1: the block was stored later',
    COMMENT COLUMN version 'Increases with every change; the row with the highest version is valid',
    COMMENT COLUMN written_at 'Time at which this row was written';

ALTER TABLE range_journal MODIFY COMMENT 'Ranges of finalized blocks that are being stored or are stored. Written by pipeline/store/journal.ts before and after the rows of each range';

ALTER TABLE range_journal
    COMMENT COLUMN state 'started: written before the first insert; done: written after the last insert; void: a rewind removed the rows',
    COMMENT COLUMN transaction_count 'Transactions in the range',
    COMMENT COLUMN log_count 'Logs in the range',
    COMMENT COLUMN role_count 'Rows of the range in address_roles',
    COMMENT COLUMN gas_used 'Sum of gas used by the blocks',
    COMMENT COLUMN version 'Increases with every change of the range; the row with the highest version is valid',
    COMMENT COLUMN written_at 'Time at which this state was written';

ALTER TABLE registry_entities MODIFY COMMENT 'Named entities of the registry, such as wallets, contracts and partners, as a signed manifest file lists them. Written by pipeline/sources before the manifest is published; an hour after a newer manifest replaced it, its entities are deleted';

ALTER TABLE registry_entities
    COMMENT COLUMN manifest 'SHA-256 of the manifest file that lists the entity',
    COMMENT COLUMN kind 'Kind of entity',
    COMMENT COLUMN id 'Id of the entity, a hash',
    COMMENT COLUMN label 'Name of the entity',
    COMMENT COLUMN address 'Address of the entity on the chain; null if it has none',
    COMMENT COLUMN category 'Category, a word chosen by the author of the manifest; empty if there is none',
    COMMENT COLUMN description 'Description of the entity; empty if there is none',
    COMMENT COLUMN url 'Web page of the entity, http(s); empty if there is none',
    COMMENT COLUMN parent 'Id of the entity to which this one belongs; null if there is none',
    COMMENT COLUMN attributes 'Further attributes: a JSON object of strings',
    COMMENT COLUMN written_at 'Time at which the row was written';

ALTER TABLE registry_labels MODIFY COMMENT 'Names of addresses from the registry manifest. Written by registry_labels__from_registry_entities_mv';

ALTER TABLE registry_labels
    COMMENT COLUMN manifest 'SHA-256 of the manifest file that lists the entity',
    COMMENT COLUMN id 'Id of the entity that has the address',
    COMMENT COLUMN kind 'Kind of the entity',
    COMMENT COLUMN label 'Name of the entity',
    COMMENT COLUMN category 'Category, a word chosen by the author of the manifest; empty if there is none',
    COMMENT COLUMN written_at 'Time at which the row was written';

ALTER TABLE reorgs MODIFY COMMENT 'Reorgs that the pipeline followed. Written by pipeline/follow';

ALTER TABLE reorgs
    COMMENT COLUMN detected_at 'Time at which the pipeline detected the reorg',
    COMMENT COLUMN fork_block 'Last block that the old and the new branch share',
    COMMENT COLUMN depth 'Number of removed blocks',
    COMMENT COLUMN added 'Hashes of the blocks of the new branch that were known then, lowest first; may be empty';

ALTER TABLE self_audits MODIFY COMMENT 'Results of consistency checks of the index, against itself and the node. Written by pipeline/jobs/self-audit.ts';

ALTER TABLE self_audits
    COMMENT COLUMN name 'Name of the check; the name of a token check ends with the token contract',
    COMMENT COLUMN expected 'Expected value, decimal',
    COMMENT COLUMN actual 'Actual value, decimal; empty if it could not be determined',
    COMMENT COLUMN through 'Last block that the check included',
    COMMENT COLUMN detail 'Description of the difference; empty if there is none',
    COMMENT COLUMN checked_at 'Time of the check';

ALTER TABLE sender_last_days MODIFY COMMENT 'First and last active day of each sender. Written by pipeline/store/rollups.ts';

ALTER TABLE sender_last_days
    COMMENT COLUMN address 'Sender of transactions',
    COMMENT COLUMN first_day 'First day with a transaction of the sender, UTC',
    COMMENT COLUMN last_day 'Last closed day with a transaction of the sender, UTC',
    COMMENT COLUMN day_before_window 'Last day before window_day with a transaction of the sender; 1970 if there was none',
    COMMENT COLUMN window_day 'First of the days that were closed together when this row was written. Use day_before_window, not last_day, when these days are computed again or for earlier days';

ALTER TABLE sender_returns MODIFY COMMENT 'Number of senders by day and by their previous active day. Recurring, churned and retained accounts of any period are sums of these rows. Written by pipeline/store/rollups.ts';

ALTER TABLE sender_returns
    COMMENT COLUMN day 'Day on which the senders sent a transaction, UTC',
    COMMENT COLUMN previous_day 'Previous day on which they sent a transaction; 1970 if there was none',
    COMMENT COLUMN was_new '1: previous_day was the first day of the senders',
    COMMENT COLUMN sender_count 'Number of these senders; a sender counts once per day';

ALTER TABLE shape_knots MODIFY COMMENT 'Events (rows of knots) by kind of event (shape), for searches across all wallets. Readers ignore a row whose event was deleted or now has another shape';

ALTER TABLE shape_knots
    COMMENT COLUMN shape_id 'Id of the kind of event in the table shapes',
    COMMENT COLUMN timestamp 'Timestamp of the block',
    COMMENT COLUMN wallet 'Wallet to whose history the event belongs',
    COMMENT COLUMN block_number 'Block number',
    COMMENT COLUMN log_index 'Position of the log in the block; -1 if the event is the transaction itself',
    COMMENT COLUMN part 'Number of the token within a log that transfers several tokens, from 0';

ALTER TABLE shape_vectors MODIFY COMMENT 'Embedding vectors of the texts in shapes, for semantic search. Written by pipeline/jobs/embed-shapes.ts';

ALTER TABLE shape_vectors
    COMMENT COLUMN embedder 'Name and version of the embedding model; vectors of different models can not be compared',
    COMMENT COLUMN shape_id 'Id of the kind of event in the table shapes',
    COMMENT COLUMN vector 'Embedding vector, normalized to length 1; its size depends on the model',
    COMMENT COLUMN text_version 'Version of the text from which the vector was computed';

ALTER TABLE shapes MODIFY COMMENT 'Kinds of events: a row has the fields of an event without amount, date and token id. The pipeline writes it with the events as text_version 0; pipeline/jobs/embed-shapes.ts adds the text';

ALTER TABLE shapes
    COMMENT COLUMN shape_id 'Id: xxHash64 of the columns from kind to method, joined by U+001F, see sql/columns/shape_id.sql',
    COMMENT COLUMN kind 'Kind of event: native_transfer, token_transfer, swap, contract_call and so on',
    COMMENT COLUMN direction 'Direction seen from the wallet: in, out or self',
    COMMENT COLUMN status 'Status of the event: ok or failed',
    COMMENT COLUMN fail_reason 'Why the transaction failed; empty if it succeeded or the reason is unknown',
    COMMENT COLUMN token_symbol 'Symbol of the transferred token; for a transaction, of the native coin',
    COMMENT COLUMN token_name 'Name of the transferred token',
    COMMENT COLUMN token_class 'Class of the transferred token: native coin, stablecoin, nft collection and so on; empty if unknown',
    COMMENT COLUMN second_token_symbol 'Symbol of the token received in exchange, as in a swap; empty if there is none',
    COMMENT COLUMN second_token_name 'Name of the token received in exchange',
    COMMENT COLUMN second_token_class 'Class of the token received in exchange',
    COMMENT COLUMN label 'Public name of the counterparty; empty if it has none',
    COMMENT COLUMN category 'Category of the counterparty in the registry',
    COMMENT COLUMN method 'Called method: name without parameters, or 0x selector; empty for a plain transfer',
    COMMENT COLUMN text 'Description of the event in plain English, made from the other columns',
    COMMENT COLUMN terms 'Word stems of the text, separated by spaces',
    COMMENT COLUMN text_version 'Version of the text; 0: no text yet';

ALTER TABLE sign_in_uses MODIFY COMMENT 'Used nonces of sign-in messages. A nonce expires long before its row is deleted. Written by the API';

ALTER TABLE sign_in_uses
    COMMENT COLUMN nonce 'Nonce of a signed message that a client used',
    COMMENT COLUMN use 'Random id of the use. If a nonce was used twice, both uses are rejected',
    COMMENT COLUMN used_at 'Time of the use';

ALTER TABLE source_checks MODIFY COMMENT 'Last check of each external document (registry manifest and ecosystem directory). Written by pipeline/sources';

ALTER TABLE source_checks
    COMMENT COLUMN name 'Name of the document, as in source_documents',
    COMMENT COLUMN source 'URL or file from which the document was read',
    COMMENT COLUMN checked_at 'Time of the last attempt to read the document',
    COMMENT COLUMN succeeded_at 'Time of the last attempt that found a valid document; 1970 if never',
    COMMENT COLUMN fault 'Error of the last attempt; empty if it succeeded';

ALTER TABLE source_documents MODIFY COMMENT 'Newest version of each external document (registry manifest and ecosystem directory). Written by pipeline/sources after the rows that belong to the document';

ALTER TABLE source_documents
    COMMENT COLUMN name 'Name of the document: registry_manifest or ecosystem_directory',
    COMMENT COLUMN sha256 'SHA-256 of the document; the entities of a manifest are stored under it',
    COMMENT COLUMN source 'Source of the document: URL without credentials and query, or a file name',
    COMMENT COLUMN version 'Version that the document states; empty if it states none',
    COMMENT COLUMN generated_at 'Time of creation that the document states',
    COMMENT COLUMN entry_count 'Number of entities or entries in the document',
    COMMENT COLUMN document 'Document, as received',
    COMMENT COLUMN stored_at 'Time at which this document replaced the previous one';

ALTER TABLE subject_buckets MODIFY COMMENT 'Figures of single addresses and methods by closed time bucket. Written by pipeline/store/rollups.ts';

ALTER TABLE subject_buckets
    COMMENT COLUMN resolution 'Length of the bucket, as in chart_buckets; weeks, months and years are sums of days',
    COMMENT COLUMN measure 'Measured figure, see the SQL statements close_subjects and close_token_holders; received_value has no buckets of 5 minutes',
    COMMENT COLUMN subject 'Block producer, token or recipient; for methods, the method id in the first 4 bytes',
    COMMENT COLUMN bucket 'Start of the time bucket, UTC',
    COMMENT COLUMN amount 'Number of blocks, transactions or transfers, net change of holders, or wei; the amounts of several buckets may be added';

ALTER TABLE swaps
    COMMENT COLUMN final 'Same as final in logs: 1 for a finalized block, else 0',
    COMMENT COLUMN block_number 'Block number',
    COMMENT COLUMN tx_index 'Position of the transaction in the block',
    COMMENT COLUMN timestamp 'Timestamp of the block',
    COMMENT COLUMN pool 'Pool contract that emitted the log',
    COMMENT COLUMN kind 'Format of the event: Uniswap V2 or V3',
    COMMENT COLUMN sender 'Address that called the pool, from the event',
    COMMENT COLUMN recipient 'Address that received the output of the pool, from the event',
    COMMENT COLUMN amount0 'Amount of token0, smallest unit: positive if it went into the pool, negative if out of the pool',
    COMMENT COLUMN amount1 'Amount of token1, smallest unit: positive if it went into the pool, negative if out of the pool';

ALTER TABLE token_balance_eras MODIFY COMMENT 'Token balance changes by token and closed rollup window (2,000 blocks). Written by pipeline/store/rollups.ts';

ALTER TABLE token_balance_eras
    COMMENT COLUMN era 'Rollup window: block number divided by 2,000',
    COMMENT COLUMN standard 'Token standard of the events',
    COMMENT COLUMN token_id 'Token id; 0 for TOKEN-20 (ERC-20) tokens',
    COMMENT COLUMN holder 'Owner of the tokens; never the zero address',
    COMMENT COLUMN delta 'Amount received minus amount sent in the rollup window, smallest unit, modulo 2^256',
    COMMENT COLUMN delta_high 'Sum of the same amounts, each divided by 2^128; delta and delta_high together give the exact sum, see sql/columns/amount_of_parts.sql',
    COMMENT COLUMN transfer_count 'Number of transfers from and to the holder in the rollup window';

ALTER TABLE token_counter_eras MODIFY COMMENT 'Number of transfers, mints and burns of each token by closed rollup window (2,000 blocks). Written by pipeline/store/rollups.ts';

ALTER TABLE token_counter_eras
    COMMENT COLUMN era 'Rollup window: block number divided by 2,000',
    COMMENT COLUMN standard 'Token standard of the counted events',
    COMMENT COLUMN transfer_count 'Transfers in the rollup window; each item of an ERC-1155 batch counts as one',
    COMMENT COLUMN mint_count 'Number of these transfers that come from the zero address',
    COMMENT COLUMN burn_count 'Number of these transfers that go to the zero address',
    COMMENT COLUMN first_block 'First block of the rollup window with a transfer',
    COMMENT COLUMN last_block 'Last block of the rollup window with a transfer',
    COMMENT COLUMN first_time 'Timestamp of first_block';

ALTER TABLE token_holder_count_eras MODIFY COMMENT 'Change of the number of holders of each token by closed rollup window (2,000 blocks). Written by pipeline/store/rollups.ts';

ALTER TABLE token_holder_count_eras
    COMMENT COLUMN era 'Rollup window: block number divided by 2,000',
    COMMENT COLUMN standard 'Token standard of the events',
    COMMENT COLUMN gained 'Addresses with balance 0 before the rollup window and a balance above 0 after it',
    COMMENT COLUMN lost 'Addresses with a balance above 0 before the rollup window and balance 0 after it',
    COMMENT COLUMN held_delta 'Change of the sum of all balances above 0 in the rollup window, smallest unit, modulo 2^256',
    COMMENT COLUMN held_high 'Change of the sum of all balances, each divided by 2^128; held_delta and held_high together give the exact change';

ALTER TABLE token_holder_ranks MODIFY COMMENT 'Token holders by balance at the end of the last closed rollup window, richest first. A balance is the sum over all token ids. Written by pipeline/store/rollups.ts';

ALTER TABLE token_holder_ranks
    COMMENT COLUMN standard 'Token standard of the events',
    COMMENT COLUMN inverse_balance 'Balance with all bits inverted (bitNot), so that ascending order lists the richest holder first',
    COMMENT COLUMN holder 'Owner of the tokens; never the zero address',
    COMMENT COLUMN is_held '1: the holder has had this balance since the rollup window in era; 0: the holder had it until then',
    COMMENT COLUMN era 'Rollup window of the change: block number divided by 2,000; the row with the highest one is valid';

ALTER TABLE token_transfers
    COMMENT COLUMN final 'Same as final in logs: 1 for a finalized block, else 0',
    COMMENT COLUMN block_number 'Block number',
    COMMENT COLUMN batch_index 'Position of the item in an ERC-1155 batch; 0 for other transfers',
    COMMENT COLUMN tx_index 'Position of the transaction in the block',
    COMMENT COLUMN timestamp 'Timestamp of the block',
    COMMENT COLUMN token 'Token contract that emitted the log',
    COMMENT COLUMN standard 'Token standard of the event',
    COMMENT COLUMN from 'Previous owner; zero address for a mint',
    COMMENT COLUMN to 'New owner; zero address for a burn',
    COMMENT COLUMN token_id 'Token id; 0 for TOKEN-20 (ERC-20) tokens',
    COMMENT COLUMN value 'Transferred amount in the smallest unit; 1 for ERC-721';

ALTER TABLE token_transfers_by_address MODIFY COMMENT 'Token transfers by sender and by recipient. Written by token_transfers_by_address__from_token_transfers_mv';

ALTER TABLE token_transfers_by_address
    COMMENT COLUMN final 'Same as final in logs: 1 for a finalized block, else 0',
    COMMENT COLUMN address 'Previous or new owner; the zero address has no rows',
    COMMENT COLUMN block_number 'Block number',
    COMMENT COLUMN batch_index 'Position of the item in an ERC-1155 batch; 0 for other transfers',
    COMMENT COLUMN direction 'out: the address is the previous owner; in: it is the new owner',
    COMMENT COLUMN tx_index 'Position of the transaction in the block',
    COMMENT COLUMN timestamp 'Timestamp of the block',
    COMMENT COLUMN standard 'Token standard of the event',
    COMMENT COLUMN counterparty 'The other address of the transfer',
    COMMENT COLUMN token_id 'Token id; 0 for TOKEN-20 (ERC-20) tokens',
    COMMENT COLUMN value 'Transferred amount in the smallest unit; 1 for ERC-721';

ALTER TABLE tokens
    COMMENT COLUMN standard 'Token standard, detected from events and corrected by ERC-165',
    COMMENT COLUMN name 'Result of name() as UTF-8; null if the call fails or returns no text',
    COMMENT COLUMN symbol 'Result of symbol() as UTF-8; null if the call fails or returns no text',
    COMMENT COLUMN decimals 'Result of decimals(); null if the call fails',
    COMMENT COLUMN total_supply 'Result of totalSupply(), smallest unit; null if the call fails',
    COMMENT COLUMN first_block 'First block with a transfer of the token',
    COMMENT COLUMN checked_block 'Block at which the contract was called',
    COMMENT COLUMN version 'Time of the last check, Unix milliseconds; the row with the highest version is valid';

ALTER TABLE traced_ranges MODIFY COMMENT 'Ranges of blocks whose internal calls are completely stored. Written by pipeline/traces/traced-ranges.ts after the rows of the range';

ALTER TABLE traced_ranges
    COMMENT COLUMN state 'done: all blocks are finalized and their internal calls are stored; void: no longer valid, or another row includes the range',
    COMMENT COLUMN version 'Increases with every change of the range; the row with the highest version is valid',
    COMMENT COLUMN written_at 'Time at which this state was written';

ALTER TABLE transaction_hashes MODIFY COMMENT 'Positions of transactions by transaction hash. Written by transaction_hashes__from_transactions_mv';

ALTER TABLE transaction_hashes
    COMMENT COLUMN final 'Same as final in transactions: 1 for a finalized block, else 0',
    COMMENT COLUMN block_number 'Number of the block that contains the transaction',
    COMMENT COLUMN tx_index 'Position in the block; a reader must compare the complete hash, because prefixes can collide';

ALTER TABLE transactions
    COMMENT COLUMN final '1: the block is finalized, and the row never changes; 0: the block may still be removed by a reorg',
    COMMENT COLUMN block_number 'Block number',
    COMMENT COLUMN tx_index 'Position of the transaction in the block',
    COMMENT COLUMN block_hash 'Hash of the block',
    COMMENT COLUMN timestamp 'Timestamp of the block',
    COMMENT COLUMN type 'EIP-2718 type: 0 legacy, 1 access list, 2 dynamic fee, 3 blob, 4 set code',
    COMMENT COLUMN from 'Sender of the transaction',
    COMMENT COLUMN contract_address 'Contract that the transaction created, receipt field contractAddress; null if none',
    COMMENT COLUMN value 'Transferred native value, wei',
    COMMENT COLUMN gas_price 'Effective gas price of the transaction, wei',
    COMMENT COLUMN blob_count 'Number of blob hashes in the transaction',
    COMMENT COLUMN authorization_count 'Number of EIP-7702 authorizations',
    COMMENT COLUMN input 'Call data of the transaction, raw bytes',
    COMMENT COLUMN cumulative_gas_used 'Gas used in the block by this transaction and all before it',
    COMMENT COLUMN fee 'Transaction fee: gas used times effective gas price plus blob fee, wei',
    COMMENT COLUMN log_count 'Number of logs that the transaction emitted';

ALTER TABLE withdrawal_claims MODIFY COMMENT 'Nonces that signed withdrawals use: the first withdrawal registered for a nonce owns the nonce. Written by the API';

ALTER TABLE withdrawal_claims
    COMMENT COLUMN sender 'Sender of the withdrawal',
    COMMENT COLUMN number 'Rank of the claim: the lowest number owns the nonce; for equal numbers, the lower hash',
    COMMENT COLUMN hash 'Hash of the transaction that claims the nonce';

ALTER TABLE withdrawals MODIFY COMMENT 'Withdrawals (payout transactions) that clients registered, so that their status can be tracked. Written by the API';

ALTER TABLE withdrawals
    COMMENT COLUMN sender 'Sender of the withdrawal',
    COMMENT COLUMN raw 'Signed transaction, raw bytes; empty if only the hash was registered',
    COMMENT COLUMN created_at 'Time of the first registration',
    COMMENT COLUMN broadcast_at 'Time at which the transaction was last sent to the write node; 1970 if never',
    COMMENT COLUMN broadcast 'Reply of the write node to the last broadcast',
    COMMENT COLUMN version 'Time of the last change, Unix milliseconds; the row with the highest version is valid',
    COMMENT COLUMN owner 'SHA-256 of the capability (secret) returned by the first registration with signed bytes, or key:<identity>; empty if the withdrawal has no owner',
    COMMENT COLUMN is_void '1: another withdrawal with the same sender and nonce was registered at the same time and owns the nonce',
    COMMENT COLUMN may_be_known '1: the network may have the transaction; 0: it was never sent, or the write node rejected it every time and never reported it',
    COMMENT COLUMN is_signed '1: the signed bytes were registered; the withdrawal keeps its nonce even after the bytes are deleted';

ALTER TABLE worker_claims MODIFY COMMENT 'Claims of pipeline processes to follow the head or to store a block range. The database rejects writes of a process after another one stored a higher claim. Written by pipeline/workers';

ALTER TABLE worker_claims
    COMMENT COLUMN kind 'What is claimed. head: to follow the head of the chain; range: to store a range of finalized blocks',
    COMMENT COLUMN number 'Rank: the highest number wins; for equal numbers, the greater worker id',
    COMMENT COLUMN worker 'Id of the pipeline process, as in workers',
    COMMENT COLUMN from_block 'First block of the range, inclusive; 0 for the head',
    COMMENT COLUMN to_block 'Last block of the range, inclusive; 0 for the head; lower than from_block: the process released the claim',
    COMMENT COLUMN claimed_at 'Time of the claim, by the clock of the database';

ALTER TABLE workers MODIFY COMMENT 'Pipeline processes and their heartbeats. Written by pipeline/workers/worker.ts';

ALTER TABLE workers
    COMMENT COLUMN worker 'Random id of one run of a pipeline process',
    COMMENT COLUMN beat 'Number of the heartbeat; the highest is the latest',
    COMMENT COLUMN host 'Host name of the machine or container',
    COMMENT COLUMN pid 'Process id of the pipeline on that host',
    COMMENT COLUMN role 'head: the process follows the head of the chain and coordinates; helper: it stores history and is ready to take over',
    COMMENT COLUMN is_stopped '1: the process has ended and released its claims',
    COMMENT COLUMN seen_at 'Time of the heartbeat, by the clock of the database',
    COMMENT COLUMN report 'JSON report of what the process is doing and what delays it, see pipeline/report.ts';
