import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { blank, count } from './config-fields.ts';

export const pipelineFields = {
  RPC_MAX_IN_FLIGHT: count(16, 'Maximum concurrent HTTP requests per RPC endpoint', 1, 512),
  RPC_BATCH_BLOCKS: count(20, 'Maximum blocks per JSON-RPC batch', 1, 1000),
  RPC_TIMEOUT_MS: count(20_000, 'Timeout of one RPC request, ms', 100),
  POLL_INTERVAL_MS: count(500, 'Interval of polls for new heads, ms', 20),
  INSERT_TARGET_ROWS: count(
    100_000,
    'Target size of a database insert, in rows of the largest table that it fills',
    100,
    500_000,
  ),
  ENCODER_THREADS: z
    .preprocess(blank, z.coerce.number().int().min(0).max(64).optional())
    .describe(
      'Threads that check and encode blocks while history is indexed; 0: the main thread; unset: one per core except two, at most 8',
    ),
  LEASE_SECONDS: count(10, 'Time without a heartbeat after which another pipeline takes over, seconds', 2, 600),
  CLAIM_BLOCKS: count(
    1_000,
    'Number of finalized blocks that a pipeline reserves at once when several pipelines index the history',
    1,
    1_000_000,
  ),
  RAW_CACHE_DIR: z
    .preprocess(blank, z.string().optional())
    .describe(
      'Directory that keeps finalized blocks and receipts as nodes sent them, compressed, for cordscan index --from-cache; unset: not kept',
    ),
};

const maxEncoderThreads = 8;

/** One core each stays for the database and the main thread: on two cores, a thread makes the backfill slower. */
export const getEncoderThreads = () => Math.min(Math.max(availableParallelism() - 2, 0), maxEncoderThreads);
