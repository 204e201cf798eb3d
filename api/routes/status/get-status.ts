import { z } from 'zod';
import { isoTimeOfMs } from '#chain/codec/iso-time.ts';
import { refreshHeads } from '#chain/rpc/watch-heads.ts';
import { type ChainState, finalThrough, isBackfilled } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import { defineRoute } from '../../http/define-route.ts';
import { chainHead } from '../../read/chain/freshness.ts';
import { Count, HexHash, IsoTime } from '../../terms/primitives.ts';
import { PipelineState, pipelineAlerts, readPipelineState } from './pipeline-state.ts';

const Endpoint = z.strictObject({
  name: z.string(),
  head: z.number().int(),
  lagBlocks: Count,
  healthy: z.boolean(),
  latencyMs: Count,
  lastFault: z.string().nullable(),
});

const Status = z
  .strictObject({
    status: z.enum(['ok', 'degraded', 'down']),
    chainId: Count,
    head: Count,
    headHash: HexHash.nullable(),
    finalized: Count,
    indexed: z.strictObject({ from: Count, to: Count, complete: z.boolean() }),
    chainHead: Count,
    lagBlocks: Count,
    backfill: z.strictObject({ from: Count, to: Count, done: Count, percent: z.number() }),
    parkedBlocks: z.array(z.strictObject({ block: Count, reason: z.string(), attempts: Count, since: IsoTime })),
    reorgs: Count.meta({ description: 'Reorgs that are recorded; see /reorgs' }),
    pipeline: PipelineState,
    doubt: z.strictObject({ from: Count, to: Count, since: IsoTime, reason: z.string() }).nullable().meta({
      description:
        'Finalized blocks that a node contradicts, and all above them: nothing is written, and none of them is final, until the node agrees again or an operator rewinds',
    }),
    audit: z
      .strictObject({ at: IsoTime, windows: Count, differences: Count, lastDifference: z.string().nullable() })
      .nullable()
      .meta({ description: 'Windows of stored blocks compared with the node in the last 24 hours' }),
    supply: z
      .strictObject({ state: z.enum(['holds', 'burns_pending', 'broken', 'unknown']), asOfBlock: Count })
      .nullable()
      .meta({ description: 'Burned against migrated amounts; null before it was worked out' }),
    alerts: z.array(z.string()).meta({ description: 'What an operator must look at' }),
    rpc: z.array(Endpoint),
    clickhouse: z.strictObject({ ok: z.boolean() }),
    updatedAt: IsoTime.nullable(),
  })
  .meta({ id: 'Status' });

/** @source specification 4.2 */
export const getStatus = defineRoute({
  id: 'getStatus',
  base: '/api/v1',
  path: '/status',
  methods: ['get'],
  tag: 'service',
  summary: 'Health of service, index and nodes; with status 503 where it is down',
  section: '4.2',
  params: z.object({}),
  query: z.object({}),
  response: Status,
  errors: ['store_unavailable'],
  maxAgeSeconds: 0,
  example: '/status',
  statusOf: ({ status }) => (status === 'down' ? 503 : 200),
  handle: async (deps) => {
    await refreshHeads(deps.client);
    const supply = deps.supply.peek(deps);
    const state = await deps.snapshots.current();
    const parked = await deps.database.read<{
      block_number: string;
      reason: string;
      attempts: number;
      written_at_ms: string;
    }>(getStatement(deps.statements, 'parked_blocks'));
    const [audited] = await deps.database.read<{
      windows: string;
      differences: string;
      last_at_ms: string;
      last_difference: string;
    }>(getStatement(deps.statements, 'recent_audits'));
    const [[reorgs], pipeline] = await Promise.all([
      deps.database.read<{ reorgs: string }>(getStatement(deps.statements, 'reorg_count')),
      readPipelineState(deps),
    ]);
    const known = state
      ? chainHead(deps, state)
      : Math.max(0, ...deps.client.endpoints.map((endpoint) => endpoint.head));
    const rpc = deps.client.health.map((endpoint) => ({
      name: endpoint.name,
      head: endpoint.head,
      lagBlocks: Math.max(0, known - endpoint.head),
      healthy: endpoint.healthy,
      latencyMs: endpoint.latencyMs,
      lastFault: endpoint.lastFault ?? null,
    }));
    const lagBlocks = state ? known - state.head : known;
    const doubt = state && doubtOf(state);
    const complete = state !== undefined && isBackfilled(state) && parked.length === 0 && !doubt;
    const alerts = [
      ...(doubt ? [`blocks from block ${doubt.from} on are in doubt: ${doubt.reason}`] : []),
      ...pipelineAlerts(pipeline),
      ...(supply?.migration.alerts ?? []).map((alert) => `supply: ${alert}`),
    ];
    const isWell =
      !doubt &&
      pipeline.phase === 'following' &&
      pipelineAlerts(pipeline).length === 0 &&
      supply?.migration.state !== 'broken' &&
      complete &&
      lagBlocks <= deps.settings.freshnessToleranceBlocks &&
      rpc.every((endpoint) => endpoint.healthy);
    const isDown = state === undefined || rpc.every((endpoint) => !endpoint.healthy);
    const total = state ? state.followFrom - state.startBlock : 0;
    const done = state ? Math.min(state.backfilledBefore, state.followFrom) - state.startBlock : 0;
    return {
      status: isDown ? ('down' as const) : isWell ? ('ok' as const) : ('degraded' as const),
      chainId: deps.settings.chainId,
      head: state?.head ?? 0,
      headHash: state?.headHash ?? null,
      finalized: state ? finalThrough(state) : 0,
      indexed: { from: state?.startBlock ?? 0, to: state?.head ?? 0, complete },
      chainHead: known,
      lagBlocks,
      backfill: {
        from: state?.startBlock ?? 0,
        to: Math.max(0, (state?.followFrom ?? 1) - 1),
        done,
        percent: total === 0 ? 100 : (100 * done) / total,
      },
      parkedBlocks: parked.map((row) => ({
        block: Number(row.block_number),
        reason: row.reason,
        attempts: row.attempts,
        since: isoTimeOfMs(Number(row.written_at_ms)),
      })),
      reorgs: Number(reorgs?.reorgs ?? 0),
      pipeline,
      doubt: doubt ?? null,
      audit:
        audited && Number(audited.windows) > 0
          ? {
              at: isoTimeOfMs(Number(audited.last_at_ms)),
              windows: Number(audited.windows),
              differences: Number(audited.differences),
              lastDifference: audited.last_difference || null,
            }
          : null,
      supply: supply ? { state: supply.migration.state, asOfBlock: supply.block } : null,
      alerts,
      rpc,
      clickhouse: { ok: true },
      updatedAt: state ? isoTimeOfMs(state.updatedAtMs) : null,
    };
  },
});

function doubtOf(state: ChainState) {
  if (state.doubtedFrom === undefined) return undefined;
  const since = isoTimeOfMs(state.doubtedSinceMs);
  return { from: state.doubtedFrom, to: Math.max(state.head, state.doubtedFrom), since, reason: state.doubt };
}
