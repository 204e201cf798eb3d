import { z } from 'zod';
import { isoTimeFromMs } from '#chain/codec/iso-time.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import { refreshHeads } from '#chain/rpc/watch-heads.ts';
import type { Upstream } from '#gateway/upstream.ts';
import { stateOfLag, type Upstreams } from '#gateway/upstreams.ts';
import { showsFault } from '#sql/self-audits.ts';
import { type ChainState, finalThrough, isBackfilled } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { chainHead } from '../../read/chain/freshness.ts';
import type { ChainDeps, StoreDeps } from '../../read/reader-deps.ts';
import type { Reconciliation } from '../../read/supply/reconcile.ts';
import type { SupplyReaderDeps } from '../../read/supply/supply-reader.ts';
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

const Forwarding = z
  .strictObject({
    state: z.enum(['ok', 'degraded', 'out']),
    head: Count.nullable(),
    lagBlocks: Count.nullable(),
    latencyMs: Count.nullable(),
  })
  .meta({ id: 'ForwardingNode' });

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
    reorgs: Count.meta({ description: 'Number of recorded reorgs; see /reorgs' }),
    pipeline: PipelineState,
    doubt: z.strictObject({ from: Count, to: Count, since: IsoTime, reason: z.string() }).nullable().meta({
      description:
        'Blocks in doubt, from the first finalized block for which a node reports another hash. While a range is in doubt, the service writes nothing, and its blocks do not count as final. null if no node contradicts the index',
    }),
    audit: z
      .strictObject({ at: IsoTime, windows: Count, differences: Count, lastDifference: z.string().nullable() })
      .nullable()
      .meta({
        description:
          'Audit: ranges of stored blocks that were compared with the node in the last 24 hours; null if there were none',
      }),
    supply: z
      .strictObject({ state: z.enum(['holds', 'burns_pending', 'broken', 'unknown']), asOfBlock: Count })
      .nullable()
      .meta({
        description:
          'Comparison of the amounts burned on the old chains with the amounts migrated to this chain; null until it is computed',
      }),
    alerts: z.array(z.string()).meta({ description: 'Problems that an operator must solve' }),
    rpc: z.array(Endpoint),
    writer: Forwarding.meta({ description: 'Node that receives the transactions of clients' }),
    readPool: z.array(Forwarding).meta({ description: 'Nodes that answer the JSON-RPC reads of clients' }),
    clickhouse: z.strictObject({ ok: z.boolean() }),
    updatedAt: IsoTime.nullable(),
  })
  .meta({ id: 'Status' });

type StatusDeps = SupplyReaderDeps &
  ChainDeps & { readonly settings: { readonly maxBlockAgeSeconds: number | undefined } };

export const getStatus = defineRoute({
  id: 'getStatus',
  base: '/api/v1',
  path: '/status',
  methods: ['get'],
  tag: 'service',
  summary: 'Health of the service, of its index and of the nodes',
  description: 'The HTTP status is 503 if the service is down.',
  params: z.object({}),
  query: z.object({}),
  response: Status,
  errors: ['store_unavailable'],
  maxAgeSeconds: 0,
  example: '/status',
  getStatusCode: ({ status }) => (status === 'down' ? 503 : 200),
  handle: async (deps: StatusDeps) => {
    await refreshHeads(deps.client);
    const supply = deps.supply.peek(deps);
    const state = await deps.snapshots.current();
    const { parkedBlocks, reorgs, pipeline, audit, problems } = await readReports(deps);
    const { head, backfill, ...progress } = readProgress(state);
    const known = state ? chainHead(deps, state) : Math.max(0, deps.client.newestHead);
    const lagBlocks = known - head;
    const rpc = listEndpoints(deps, known);
    const doubt = state ? toDoubt(state) : null;
    const complete = state !== undefined && isBackfilled(state) && parkedBlocks.length === 0 && !doubt;
    const nodes = describeUpstreams(deps.upstreams, known);
    const age = state && isNear(deps, lagBlocks) ? await describeAge(deps, state) : [];
    const alerts = [
      ...describeDoubt(doubt),
      ...age,
      ...problems,
      ...listSupplyAlerts(deps, supply),
      ...upstreamAlerts(nodes),
    ];
    const isNormal = pipeline.phase === 'following' && alerts.length === 0 && complete && isNear(deps, lagBlocks);
    return {
      status: getHealth(state !== undefined, isNormal, rpc),
      chainId: deps.settings.chainId,
      head,
      ...progress,
      indexed: { from: backfill.from, to: head, complete },
      chainHead: known,
      lagBlocks,
      backfill,
      parkedBlocks,
      reorgs,
      pipeline,
      doubt,
      audit,
      supply: supply ? { state: supply.migration.state, asOfBlock: supply.block } : null,
      alerts,
      rpc,
      ...nodes,
      clickhouse: { ok: true },
    };
  },
});

function readProgress(state: ChainState | undefined) {
  if (!state) {
    const backfill = { from: 0, to: 0, done: 0, percent: 100 };
    return { head: 0, headHash: null, finalized: 0, backfill, updatedAt: null };
  }
  const { head, headHash, startBlock: from, followFrom, backfilledBefore, updatedAtMs } = state;
  const total = followFrom - from;
  const done = Math.min(backfilledBefore, followFrom) - from;
  const percent = total === 0 ? 100 : (100 * done) / total;
  const backfill = { from, to: Math.max(0, followFrom - 1), done, percent };
  return { head, headHash, finalized: finalThrough(state), backfill, updatedAt: isoTimeFromMs(updatedAtMs) };
}

/** Omits node names. @param chainHead newest block of all nodes */
function describeUpstreams({ writer, readers }: Upstreams, chainHead: number) {
  const describe = ({ head, latencyMs }: Upstream) => {
    const lagBlocks = head === undefined ? null : Math.max(0, chainHead - head);
    return { state: stateOfLag(lagBlocks), head: head ?? null, lagBlocks, latencyMs: latencyMs ?? null };
  };
  return { writer: describe(writer), readPool: readers.map(describe) };
}

function upstreamAlerts({ writer, readPool }: ReturnType<typeof describeUpstreams>): string[] {
  return [
    ...(writer.state === 'ok' ? [] : [`the node that receives transactions is ${texts[writer.state]}`]),
    ...(readPool.some(({ state }) => state !== 'out') ? [] : ['no node answers the reads of clients']),
  ];
}

const texts = { degraded: 'behind', out: 'not answering, or far behind' } as const;

const isNear = ({ settings }: StatusDeps, lagBlocks: number): boolean => lagBlocks <= settings.freshnessToleranceBlocks;

type Health = z.input<typeof Status>['status'];

function getHealth(hasState: boolean, isNormal: boolean, rpc: readonly { readonly healthy: boolean }[]): Health {
  if (!hasState || rpc.every(({ healthy }) => !healthy)) return 'down';
  return isNormal && rpc.every(({ healthy }) => healthy) ? 'ok' : 'degraded';
}

const listEndpoints = ({ client }: StatusDeps, chainHead: number) =>
  client.health.map((endpoint) => toEndpoint(endpoint, chainHead));

function toEndpoint({ name, head, healthy, latencyMs, lastFault }: RpcClient['health'][number], chainHead: number) {
  const lagBlocks = Math.max(0, chainHead - head);
  return { name, head, lagBlocks, healthy, latencyMs, lastFault: lastFault ?? null };
}

function listSupplyAlerts({ supply: { fault } }: SupplyReaderDeps, known: Reconciliation | undefined): string[] {
  const alerts = fault === undefined ? (known?.migration.alerts ?? []) : [`it cannot be computed: ${fault}`];
  return alerts.map((alert) => `supply: ${alert}`);
}

/** Detects nodes that stopped importing blocks: otherwise they answer like healthy ones. */
async function describeAge(deps: StatusDeps, state: ChainState): Promise<string[]> {
  const { maxBlockAgeSeconds } = deps.settings;
  if (maxBlockAgeSeconds === undefined) return [];
  const time = await deps.blockTimes.head(state);
  if (time === 0) return []; // the head is quarantined
  const age = Math.floor(Date.now() / 1_000) - time;
  return age > maxBlockAgeSeconds
    ? [
        `the newest block is ${Math.floor(age / 60)} minutes old: the chain stands still, or the nodes do not import blocks`,
      ]
    : [];
}

const describeDoubt = (doubt: ReturnType<typeof toDoubt>): string[] =>
  doubt ? [`a node contradicts finalized blocks from block ${doubt.from} on: ${doubt.reason}`] : [];

async function readReports(deps: StoreDeps) {
  const parkedBlocks = await readQuarantined(deps);
  const audit = await readRecentAudit(deps);
  const [[counted], pipeline, failedChecks] = await Promise.all([
    deps.database.read('reorg_count'),
    readPipelineState(deps),
    readFailedChecks(deps),
  ]);
  const problems = [...pipelineAlerts(pipeline), ...failedChecks];
  return { parkedBlocks, audit, problems, reorgs: Number(counted?.reorgs ?? 0), pipeline };
}

/** Returns an alert for each self-audit result that shows wrong blocks. */
async function readFailedChecks({ database }: StoreDeps): Promise<string[]> {
  const checks = await database.read('self_audits');
  return checks.filter(showsFault).map(({ name, detail, checked_at_ms }) => {
    const at = isoTimeFromMs(Number(checked_at_ms));
    return `the self-audit ${name} of ${at} failed: ${detail}; /status/audit lists all checks`;
  });
}

async function readQuarantined({ database }: StoreDeps) {
  const rows = await database.read('parked_blocks');
  return rows.map(({ block_number, reason, attempts, written_at_ms }) => ({
    block: Number(block_number),
    reason,
    attempts,
    since: isoTimeFromMs(Number(written_at_ms)),
  }));
}

async function readRecentAudit({ database }: StoreDeps) {
  const [row] = await database.read('recent_audits');
  if (!row || Number(row.windows) === 0) return null;
  return {
    at: isoTimeFromMs(Number(row.last_at_ms)),
    windows: Number(row.windows),
    differences: Number(row.differences),
    lastDifference: row.last_difference || null,
  };
}

function toDoubt(state: ChainState) {
  if (state.doubtedFrom === undefined) return null;
  const since = isoTimeFromMs(state.doubtedSinceMs);
  return { from: state.doubtedFrom, to: Math.max(state.head, state.doubtedFrom), since, reason: state.doubt };
}
