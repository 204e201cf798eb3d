import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { blank, count } from './config-fields.ts';

export const pipelineFields = {
  RPC_MAX_IN_FLIGHT: count(
    16,
    'Maximum concurrent HTTP requests per RPC endpoint, without traces: these may take a quarter more',
    1,
    512,
  ),
  RPC_BATCH_BLOCKS: count(20, 'Maximum blocks per JSON-RPC batch', 1, 1000),
  RPC_TIMEOUT_MS: count(20_000, 'Timeout of one RPC request, ms', 100, 3_600_000),
  POLL_INTERVAL_MS: count(500, 'Interval of polls for new blocks, ms', 20, 3_600_000),
  INSERT_TARGET_ROWS: count(100_000, 'Target size of a database insert, in rows of its largest table', 100, 500_000),
  ENCODER_THREADS: z
    .preprocess(blank, z.coerce.number().int().min(0).max(64).optional())
    .describe(
      'Threads that check and encode blocks while history is indexed; 0: the main thread; unset: number of cores minus 2, at most 8',
    ),
  LEASE_SECONDS: count(10, 'Time without a heartbeat after which another pipeline takes over, seconds', 2, 40),
  CLAIM_BLOCKS: count(
    1_000,
    'Number of finalized blocks that a pipeline reserves at once if several pipelines index history',
    1,
    1_000_000,
  ),
  RAW_CACHE_DIR: z
    .preprocess(blank, z.string().optional())
    .describe(
      'Directory for compressed node replies with finalized blocks and receipts, for cordscan index --from-cache; unset: none',
    ),
};

const maxEncoderThreads = 8;

/** Leaves two cores to the database and the main thread. On two cores, an encoder thread slows indexing. */
export const getEncoderThreads = () => Math.min(Math.max(availableParallelism() - 2, 0), maxEncoderThreads);
