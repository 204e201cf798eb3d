import { InvalidChainData, NodeError, PrunedStateError, TransportError } from '#chain/errors.ts';
import type { Interval } from '#chain/intervals.ts';
import type { Endpoint } from '#chain/rpc/endpoint.ts';
import { fetchBlocks } from '#chain/rpc/fetch-blocks.ts';
import { fetchInHalves } from '#chain/rpc/fetch-in-halves.ts';
import type { BlockBundle } from '#chain/rpc/wire-types.ts';
import type { VerifyLevel } from '#chain/verify/verify-bundle.ts';
import { loadStatements } from '#sql/compile/statements.ts';
import type { Parameters } from '#sql/parameters.ts';
import {
  type ChainState,
  isIntact,
  listShown,
  readChainState,
  rollupParameters,
  snapshotParameters,
} from '#sql/snapshot.ts';
import type { NodeDeps, StoreDeps } from '../deps.ts';
import { compareCalls } from './compare-calls.ts';
import { compareRows, type Difference } from './compare-rows.ts';
import { expectedRows } from './expected-rows.ts';

export interface VerifyOptions {
  readonly fromBlock?: number;
  readonly toBlock?: number;
  /** Random ranges of 200 blocks to compare; default: all blocks. */
  readonly sample?: number;
  readonly baseOnly?: boolean;
  /** Whether to compare internal calls: off (default), auto (if a node can trace), or on. */
  readonly traces?: 'off' | 'auto' | 'on';
  /** True: skips calls that no node can trace now. Default: only with `auto`, if the node returns an error. */
  readonly mayLackCalls?: boolean;
  /** Checks of the blocks that the node returns. Default: links. */
  readonly verify?: VerifyLevel;
  /** Node to compare with, in few attempts. Default: any. Internal calls are compared with any node. */
  readonly endpoint?: Endpoint | undefined;
  readonly onProgress?: (share: number, text: string) => void;
}

export interface VerifyReport {
  readonly blocks: number;
  readonly transactions: number;
  readonly logs: number;
  readonly roles: number;
  readonly figures: number;
  readonly calls: number;
  /** Blocks of ranges whose internal calls were not compared, because no node could trace them. */
  readonly untraced: number;
  readonly checks: number;
  readonly differences: Difference[];
  /** Indexed blocks of the requested range; `sample` compares only some. */
  readonly indexed: number;
  /** First block of the index, and its newest one when the comparison began. */
  readonly startBlock: number;
  readonly head: number;
}

type VerifyDeps = StoreDeps & NodeDeps;

const baseRows = ['blocks', 'transactions', 'logs', 'roles', 'figures'] as const;
/** Maximum comparisons of a range whose rows change meanwhile. */
const maxComparisons = 5;
export const windowBlocks = 200;
/** Time buckets that checks recount, by suffix of the check's name. `mark`: up to where buckets are complete. */
const checkedBuckets: Record<string, { seconds: number; mark: 'hourThrough' | 'dayThrough' }> = {
  '5min': { seconds: 300, mark: 'hourThrough' },
  hour: { seconds: 3_600, mark: 'hourThrough' },
  day: { seconds: 86_400, mark: 'dayThrough' },
};
const checksDir = new URL('../../sql/checks', import.meta.url).pathname;

const storedRows = {
  blocks: 'stored_blocks',
  transactions: 'stored_transactions',
  logs: 'stored_logs',
  roles: 'stored_roles',
  figures: 'stored_figures',
} as const;

const counted = [...baseRows, 'calls', 'untraced'] as const;
type RowCounts = Record<(typeof counted)[number], number>;
const noRows = () => Object.fromEntries(counted.map((rows) => [rows, 0])) as RowCounts;

/**
 * Compares stored blocks with a node, row by row, and recounts derived tables.
 * @throws Error if nothing is stored, or the node or database fails
 */
export async function verifyChain(deps: VerifyDeps, options: VerifyOptions = {}): Promise<VerifyReport> {
  const state = await readState(deps);
  const all = listWindows(state, options);
  const windows = pickWindows(all, options);
  const indexed = all.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  const { startBlock, head } = state;
  const report = { ...noRows(), checks: 0, differences: [] as Difference[], indexed, startBlock, head };
  for (const [i, [from, to]] of windows.entries()) {
    if (deps.signal.aborted) break;
    const counts = noRows();
    report.differences.push(
      ...(await compareStable(deps, (state) => compareWindow(deps, state, [from, to], counts, options))),
    );
    for (const rows of counted) report[rows] += counts[rows];
    options.onProgress?.((i + 1) / windows.length, `${report.blocks} blocks, ${report.differences.length} differences`);
  }
  if (!options.baseOnly) await runChecks(deps, report);
  return report;
}

/** Repeats a comparison with differences if the chain state changed, because rows may have been deleted. */
async function compareStable(
  deps: VerifyDeps,
  look: (state: ChainState) => Promise<Difference[]>,
): Promise<Difference[]> {
  for (let looks = 1; ; looks++) {
    const state = await readState(deps);
    const differences = await look(state);
    if (differences.length === 0 || looks === maxComparisons) return differences;
    const after = await readState(deps);
    if (isIntact(state, after)) return differences;
  }
}

async function readState({ database }: VerifyDeps): Promise<ChainState> {
  const state = await readChainState(database);
  if (!state) throw new Error('nothing is stored yet: start the pipeline first');
  return state;
}

async function compareWindow(
  deps: VerifyDeps,
  state: ChainState,
  [from, to]: readonly [number, number],
  counts: RowCounts,
  { traces = 'off', mayLackCalls = false, verify = 'links', endpoint }: VerifyOptions,
): Promise<Difference[]> {
  const window = { from_block: from, to_block: Math.min(to, state.head) }; // a reorg may lower the head
  if (window.to_block < from) return [];
  const bundles = await fetchWindow(deps, from, window.to_block, { verify, endpoint });
  const expected = expectedRows(bundles);
  const differences: Difference[] = [];
  for (const table of baseRows) {
    const stored = await deps.database.read(storedRows[table], { ...snapshotParameters(state), ...window });
    differences.push(...compareRows(table, expected[table], stored));
    counts[table] = expected[table].length;
  }
  if (traces !== 'off') {
    const compared = await compareCalls(deps, state, bundles).catch((error: unknown) => {
      // the node may have pruned the state for a trace, but other rows must still be reported
      const isExpected = mayLackCalls ? isOfAnyNode(error) : traces === 'auto' && isOfNode(error);
      if (deps.signal.aborted || !isExpected) throw error;
      return undefined;
    });
    differences.push(...(compared?.differences ?? []));
    counts.calls = compared?.calls ?? 0;
    counts.untraced = compared ? 0 : bundles.length;
  }
  return differences;
}

const isOfNode = (error: unknown) => error instanceof NodeError || error instanceof PrunedStateError;
export const isOfAnyNode = (error: unknown) =>
  isOfNode(error) || error instanceof TransportError || error instanceof InvalidChainData;

function listWindows(state: ChainState, { fromBlock, toBlock }: VerifyOptions): [number, number][] {
  const windows: [number, number][] = [];
  for (const { fromBlock: low, toBlock: high } of listShown(state, state.head)) {
    const end = Math.min(high, toBlock ?? high);
    for (let from = Math.max(low, fromBlock ?? low); from <= end; from += windowBlocks)
      windows.push([from, Math.min(from + windowBlocks - 1, end)]);
  }
  return windows;
}

function pickWindows(windows: [number, number][], { sample }: VerifyOptions): [number, number][] {
  if (sample === undefined || sample >= windows.length) return windows;
  return windows
    .map((window) => ({ window, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, sample)
    .map(({ window }) => window);
}

async function fetchWindow(
  { client, signal }: VerifyDeps,
  from: number,
  to: number,
  { verify, endpoint }: { readonly verify: VerifyLevel; readonly endpoint: Endpoint | undefined },
): Promise<BlockBundle[]> {
  const pinned = endpoint && { endpoint, retries: 2, mayLack: true };
  const fetchPart = async ({ fromBlock, toBlock }: Interval) =>
    (await fetchBlocks(client, fromBlock, toBlock, { verify, signal, ...pinned })).bundles;
  const batches: Promise<BlockBundle[][]>[] = [];
  for (let at = from; at <= to; at += 20)
    batches.push(fetchInHalves({ fromBlock: at, toBlock: Math.min(at + 19, to) }, fetchPart, signal));
  return (await Promise.all(batches)).flat(2);
}

/** Checks of rollups or traces, which not all blocks have. */
const partialChecks = /^(rollup_|trace_|view_internal_calls)/;

/**
 * Compares tables with each other in a range of blocks, without a node.
 * @param isFinal whether the blocks are finalized: rows of both kinds may exist for one block
 * @returns a difference per reply row of the statements under sql/checks
 */
export async function findTableDifferences(
  { database }: Pick<VerifyDeps, 'database'>,
  state: ChainState,
  { fromBlock, toBlock, isFinal }: Interval & { readonly isFinal: boolean },
): Promise<Difference[]> {
  // makes the condition `visible` select only the range
  const shown = isFinal
    ? { followFrom: fromBlock, finalized: toBlock, head: toBlock }
    : { followFrom: fromBlock, finalized: fromBlock - 1, head: toBlock };
  const parameters = { ...rollupParameters({ ...state, ...shown, backfilledBefore: 0 }), start_block: 0 };
  const found: Difference[] = [];
  for (const check of loadStatements(checksDir).values())
    if (!partialChecks.test(check.name))
      found.push(...toDifferences(check.name, await database.read(check, parameters)));
  return found;
}

const toDifferences = (where: string, rows: readonly { readonly detail: string }[]): Difference[] =>
  rows.map(({ detail }) => ({ where, key: '', detail }));

/** Runs the statements under sql/checks. Each row of a reply is a difference. */
async function runChecks(deps: VerifyDeps, report: { checks: number; differences: Difference[] }): Promise<void> {
  for (const check of loadStatements(checksDir).values()) {
    const look = async (state: ChainState) => {
      const ofIndex = { ...rollupParameters(state), start_block: state.startBlock };
      const parameters = { ...ofIndex, ...bucketParameters(check.name, state) };
      return toDifferences(check.name, await deps.database.read<{ detail: string }>(check, parameters));
    };
    report.checks++;
    report.differences.push(...(await compareStable(deps, look)));
  }
}

function bucketParameters(name: string, state: ChainState): Parameters {
  const resolution = name.slice(name.lastIndexOf('_') + 1);
  const buckets = checkedBuckets[resolution];
  return buckets ? { resolution, bucket_seconds: buckets.seconds, through: state[buckets.mark] } : {};
}
