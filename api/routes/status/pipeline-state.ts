/** Pipelines are processes that index blocks and store heartbeats. */
import { z } from 'zod';
import { isoTimeFromMs } from '#chain/codec/iso-time.ts';
import type { RowOf } from '#sql/statement-types.ts';
import type { StoreDeps } from '../../read/reader-deps.ts';
import { Count, HexHash, IsoTime } from '../../terms/primitives.ts';

/** Age of the newest heartbeat above which a pipeline counts as stopped, ms. Equals the default of LEASE_SECONDS. */
const heartbeatTimeoutMs = 10_000;
/** The alert needs at least this many pipeline ends and more starts within ten minutes. */
const alertEnds = 3;

export const PipelineState = z
  .strictObject({
    running: z
      .boolean()
      .meta({ description: 'true if a pipeline (the process that indexes blocks) sent a heartbeat in the last 10 s' }),
    phase: z.enum(['starting', 'following', 'holding', 'failing', 'stopped']).meta({
      description:
        'following: new blocks are indexed. holding: writing is paused, because nodes return conflicting data. failing: a step fails and is retried. stopped: no pipeline runs',
    }),
    reason: z.string().nullable(),
    since: IsoTime.nullable(),
    badBlock: z.strictObject({ block: Count, fault: z.string(), since: IsoTime }).nullable().meta({
      description:
        'Block that the pipeline cannot store, because no RPC endpoint returns valid data for it; null if there is none. All lower blocks are available',
    }),
    historyFault: z.string().nullable().meta({
      description: 'Reason why the backfill (indexing of history) is not progressing; null if it is progressing',
    }),
    finalityFault: z.string().nullable().meta({
      description: 'Reason why blocks do not become final; null if they do',
    }),
    rawCacheFault: z.string().nullable().meta({
      description:
        'Last error of the raw cache (RAW_CACHE_DIR): after an error, its files may lack blocks. null if there was none',
    }),
    jobFaults: z.array(z.strictObject({ job: z.string(), fault: z.string(), since: IsoTime })).meta({
      description: 'Background jobs that failed at least three times in a row, each with its last error',
    }),
    contradictions: z
      .array(z.strictObject({ endpoint: z.string(), block: Count, stored: HexHash, theirs: HexHash }))
      .meta({ description: 'RPC endpoints whose hash of the finalized block differs from the stored hash' }),
    traces: z.enum(['off', 'indexed', 'unsupported']).nullable().meta({
      description:
        'Whether internal transfers are indexed. off: TRACES is off. unsupported: no node can trace blocks. null: no pipeline runs, or no node was asked yet',
    }),
    starts: Count.meta({ description: 'Number of pipeline processes that started or ran in the last ten minutes' }),
    ends: Count.meta({ description: 'Number of these processes that ended, or sent no heartbeat for 10 s' }),
  })
  .meta({ id: 'PipelineState' });

export type PipelineState = z.input<typeof PipelineState>;

interface Report {
  phase: 'starting' | 'following' | 'holding' | 'failing';
  reason: string | null;
  sinceMs: number;
  badBlock: { block: number; fault: string; sinceMs: number } | null;
  historyFault?: string | null;
  finalityFault?: string | null;
  rawCacheFault?: string | null;
  jobFaults?: { job: string; fault: string; sinceMs: number }[];
  contradictions: { endpoint: string; block: number; stored: string; theirs: string }[];
  traces?: 'off' | 'indexed' | 'unsupported' | null;
}

const none = {
  reason: null,
  since: null,
  badBlock: null,
  historyFault: null,
  finalityFault: null,
  rawCacheFault: null,
  jobFaults: [],
  contradictions: [],
  traces: null,
};

export async function readPipelineState({ database }: StoreDeps): Promise<PipelineState> {
  const rows = await database.read('pipelines');
  const isAlive = (row: RowOf<'pipelines'>) => row.is_stopped === 0 && Number(row.silent_ms) <= heartbeatTimeoutMs;
  const leader = rows.find((row) => row.role === 'head' && isAlive(row)) ?? rows.find(isAlive);
  const counts = { starts: rows.length, ends: rows.filter((row) => !isAlive(row)).length };
  if (!leader) return { ...none, running: false, phase: 'stopped', reason: 'no pipeline runs', ...counts };
  const report = leader.report === '' ? null : (JSON.parse(leader.report) as Report | null);
  if (!report) return { ...none, running: true, phase: 'starting', ...counts };
  const { phase, reason, sinceMs, badBlock, contradictions, traces = null } = report;
  const { historyFault = null, finalityFault = null, rawCacheFault = null, jobFaults = [] } = report;
  return {
    running: true,
    phase,
    reason,
    since: isoTimeFromMs(sinceMs),
    historyFault,
    finalityFault,
    rawCacheFault,
    jobFaults: jobFaults.map(({ job, fault, sinceMs: since }) => ({ job, fault, since: isoTimeFromMs(since) })),
    contradictions,
    traces,
    ...counts,
    badBlock: badBlock && { block: badBlock.block, fault: badBlock.fault, since: isoTimeFromMs(badBlock.sinceMs) },
  };
}

export function pipelineAlerts({
  running,
  phase,
  reason,
  badBlock,
  historyFault,
  finalityFault,
  rawCacheFault,
  jobFaults,
  contradictions,
  starts,
  ends,
}: PipelineState) {
  return [
    !running && 'no pipeline runs: the index is not updated',
    running && phase === 'holding' && `the pipeline is paused: ${reason}`,
    running && phase === 'failing' && !badBlock && `the pipeline fails and retries: ${reason}`,
    badBlock && `no endpoint returns a valid block ${badBlock.block}: ${badBlock.fault}`,
    historyFault && `the backfill is not progressing: ${historyFault}`,
    finalityFault && `blocks do not become final: ${finalityFault}`,
    rawCacheFault && `blocks can't be kept in RAW_CACHE_DIR: ${rawCacheFault}`,
    ...jobFaults.map(({ job, fault, since }) => `the background job ${job} fails since ${since}: ${fault}`),
    ...contradictions.map(
      ({ endpoint, block, stored, theirs }) =>
        `${endpoint} reports hash ${theirs} for finalized block ${block}, stored hash is ${stored}`,
    ),
    starts > alertEnds && ends >= alertEnds && `the pipeline started ${starts} times in ten minutes`,
  ].filter((text): text is string => typeof text === 'string');
}
