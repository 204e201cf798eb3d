/** How the pipelines of this database are, from their signs of life. */
import { z } from 'zod';
import { isoTimeOfMs } from '#chain/codec/iso-time.ts';
import type { RowOf } from '#sql/statement-types.ts';
import type { StoreDeps } from '../../read/reader-deps.ts';
import { Count, HexHash, IsoTime } from '../../terms/primitives.ts';

/** Silence after which a pipeline counts as dead, ms: five of its signs of life. */
const silentMs = 10_000;
/** Starts within ten minutes from which on a pipeline counts as restarting again and again. */
const manyStarts = 4;

export const PipelineState = z
  .strictObject({
    running: z.boolean().meta({ description: 'A pipeline follows the chain and gave a sign of life in the last 10 s' }),
    phase: z.enum(['starting', 'following', 'holding', 'failing', 'stopped']).meta({
      description:
        'holding: nothing is written, because of what the nodes say. failing: a step fails and is tried again. stopped: no pipeline runs',
    }),
    reason: z.string().nullable(),
    since: IsoTime.nullable(),
    badBlock: z
      .strictObject({ block: Count, fault: z.string(), since: IsoTime })
      .nullable()
      .meta({ description: 'The next block, which no endpoint serves soundly; everything below it is served' }),
    historyFault: z.string().nullable().meta({ description: 'Why history is not being completed' }),
    contradictions: z
      .array(z.strictObject({ endpoint: z.string(), block: Count, stored: HexHash, theirs: HexHash }))
      .meta({ description: 'Endpoints whose block at a finalized height is not the stored one' }),
    starts: Count.meta({ description: 'Pipelines that started or ran in the last ten minutes' }),
  })
  .meta({ id: 'PipelineState' });

export type PipelineState = z.input<typeof PipelineState>;

/** As the pipeline writes it. */
interface Report {
  phase: 'starting' | 'following' | 'holding' | 'failing';
  reason: string | null;
  sinceMs: number;
  badBlock: { block: number; fault: string; sinceMs: number } | null;
  historyFault?: string | null;
  contradictions: { endpoint: string; block: number; stored: string; theirs: string }[];
}

const none = { reason: null, since: null, badBlock: null, historyFault: null, contradictions: [] };

export async function readPipelineState({ database }: StoreDeps): Promise<PipelineState> {
  const rows = await database.read('pipelines');
  const isAlive = (row: RowOf<'pipelines'>) => row.is_stopped === 0 && Number(row.silent_ms) <= silentMs;
  const leader = rows.find((row) => row.role === 'head' && isAlive(row)) ?? rows.find(isAlive);
  const starts = rows.length;
  if (!leader) return { ...none, running: false, phase: 'stopped', reason: 'no pipeline runs', starts };
  const report = leader.report === '' ? null : (JSON.parse(leader.report) as Report | null);
  if (!report) return { ...none, running: true, phase: 'starting', starts };
  const { phase, reason, sinceMs, badBlock, historyFault = null, contradictions } = report;
  return {
    running: true,
    phase,
    reason,
    since: isoTimeOfMs(sinceMs),
    historyFault,
    contradictions,
    starts,
    badBlock: badBlock && { block: badBlock.block, fault: badBlock.fault, since: isoTimeOfMs(badBlock.sinceMs) },
  };
}

/** What of it somebody must look at, in words. */
export function pipelineAlerts({
  running,
  phase,
  reason,
  badBlock,
  historyFault,
  contradictions,
  starts,
}: PipelineState) {
  return [
    !running && 'no pipeline runs: the index stands still',
    running && phase === 'holding' && `the pipeline holds: ${reason}`,
    running && phase === 'failing' && !badBlock && `the pipeline fails and tries again: ${reason}`,
    badBlock && `no endpoint serves block ${badBlock.block} soundly: ${badBlock.fault}`,
    historyFault && `history is not being completed: ${historyFault}`,
    ...contradictions.map(
      ({ endpoint, block, stored, theirs }) =>
        `${endpoint} has ${theirs} at finalized block ${block}, stored is ${stored}`,
    ),
    starts >= manyStarts && `the pipeline started ${starts} times in ten minutes`,
  ].filter((text): text is string => typeof text === 'string');
}
