import { LRUCache } from 'lru-cache';
import { findGaps, type Interval, single } from '#chain/intervals.ts';
import type { Endpoint } from '#chain/rpc/endpoint.ts';
import { withDeadline } from '#runtime/signals.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { BackfillParts } from '../backfill/run-backfill.ts';
import { deriveMissingFigures } from '../figures/derive-figures.ts';
import { storedHash } from '../follow/finalized-comparison.ts';
import type { Journal } from '../store/journal.ts';
import { repairRange } from '../store/repair-range.ts';
import { isOfAnyNode, type VerifyOptions, verifyChain, windowBlocks } from '../verify/verify-chain.ts';

/** Maximum total time of the requests to compare with one node, ms. */
const compareMs = 60_000;
/** Maximum repairs of a range by this process per day. */
const maxRepairs = 3;
const repairCounts = new WeakMap<Journal, LRUCache<string, number>>();

/**
 * Compares the newest and some random finalized blocks with a node. If only rows differ, repairs the range. If a hash
 * differs, only publishes the contradiction.
 * @returns false when a range was repaired: the backfill must publish it again
 * @throws DeepReorgError
 */
export async function audit(parts: BackfillParts): Promise<boolean> {
  const { doubt, store, quarantined } = parts;
  if (doubt.isHeld) return true;
  const { startBlock, finalized } = store.state;
  const newest = Math.max(startBlock, finalized - windowBlocks + 1);
  const random = startBlock + Math.floor(Math.random() * Math.max(1, finalized - startBlock));
  for (const fromBlock of [newest, random]) {
    const window = { fromBlock, toBlock: Math.min(fromBlock + windowBlocks - 1, finalized) };
    // quarantined blocks have no valid data to compare with
    for (const stored of findGaps(window, quarantined.numbers.map(single))) {
      if (doubt.isHeld) return true;
      if (!(await auditWindow(parts, stored))) return false;
    }
  }
  return true;
}

/** @returns false when a range was repaired */
async function auditWindow(parts: BackfillParts, window: Interval): Promise<boolean> {
  const { deps, journal } = parts;
  await deriveMissingFigures(deps, window.fromBlock, window.toBlock); // blocks of earlier versions have none
  // a failed trace must not hide other differences
  const traces = deps.settings.traces ?? 'off';
  const options = { ...window, baseOnly: true, traces, mayLackCalls: true, verify: deps.settings.verify };
  const { differences } = await verifyChain(deps, options);
  const [first] = differences;
  await record(parts, window, differences.length, first ? JSON.stringify(first) : '');
  deps.metrics.recordAudit(differences.length);
  if (!first) return true;
  deps.log.error({ event: 'audit_difference', ...window, differences: differences.length, first });
  if (!(await isConfirmed(deps, options))) {
    // a repair would hide history whose rows another node confirms
    deps.log.warn(
      { event: 'audit_unconfirmed', ...window },
      'not every node that answers found the difference twice: nothing is repaired',
    );
    return true;
  }
  let isRepaired = false;
  for (const range of journal.rangesIn(window)) {
    if (!(await isOurChain(parts, range))) break;
    const count = countRepairs(parts, range);
    if (count.before >= maxRepairs) continue;
    if (await repairRange(parts, range, count.add)) isRepaired = true;
  }
  return !isRepaired;
}

/** Returns whether all nodes whose two answers agree find the same differences: a repair may read from any of them. */
async function isConfirmed(deps: BackfillParts['deps'], options: VerifyOptions): Promise<boolean> {
  const steady: ReadonlySet<string>[] = [];
  for (const node of deps.client.onBranch.filter(({ available }) => available)) {
    const first = await compareWith(node, deps, options);
    const second = first && (await compareWith(node, deps, options));
    if (first && second && sameSet(first, second)) steady.push(first);
  }
  const [one] = steady;
  return one !== undefined && one.size > 0 && steady.every((other) => sameSet(one, other));
}

/** Returns the differences from one node as JSON; undefined without an answer. */
async function compareWith(
  endpoint: Endpoint,
  deps: BackfillParts['deps'],
  options: VerifyOptions,
): Promise<ReadonlySet<string> | undefined> {
  try {
    const compare = (signal: AbortSignal) => verifyChain({ ...deps, signal }, { ...options, endpoint });
    const { differences } = await withDeadline(compareMs, [deps.signal], compare);
    return new Set(differences.map((difference) => JSON.stringify(difference)));
  } catch (error) {
    if (deps.signal.aborted || !isOfAnyNode(error)) throw error;
    return undefined;
  }
}

const sameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
  a.size === b.size && [...a].every((one) => b.has(one));

/**
 * Returns the earlier repairs of a range, and a function that counts one more. Logs when the limit is reached, because
 * the nodes may contradict each other.
 */
function countRepairs({ deps, journal }: BackfillParts, range: Interval) {
  const repairs = repairCounts.get(journal) ?? new LRUCache<string, number>({ max: 10_000, ttl: 86_400_000 });
  repairCounts.set(journal, repairs);
  const key = `${range.fromBlock}-${range.toBlock}`;
  const before = repairs.get(key) ?? 0;
  if (before >= maxRepairs)
    deps.log.error(
      { event: 'audit_repairs_end', ...range, repairs: before },
      'the rows differ from a node again after several repairs: the nodes may return different data for these blocks',
    );
  return { before, add: () => repairs.set(key, before + 1) };
}

async function isOurChain({ deps, journal, doubt }: BackfillParts, { fromBlock, toBlock }: Interval): Promise<boolean> {
  for (const [block, known] of [
    [toBlock, journal.getHash(toBlock)],
    [fromBlock - 1, journal.getParentHash(fromBlock)],
  ] as const) {
    const hash = known ?? (block < 0 ? undefined : await storedHash(deps, block));
    if (hash !== undefined && !(await doubt.check(block, hash))) return false;
  }
  return true;
}

async function record(
  { deps }: BackfillParts,
  { fromBlock, toBlock }: Interval,
  differences: number,
  detail: string,
): Promise<void> {
  const w = new RowWriter(512);
  w.uint64(Date.now());
  w.uint64(fromBlock);
  w.uint64(toBlock);
  w.uint32(differences);
  w.text(detail.slice(0, 500));
  await deps.database.insertRowBinary('audits', w.view());
}
