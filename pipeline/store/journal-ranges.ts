/** Compares ranges of the journal, and plans which adjacent ones to join, to keep the journal short. */
import { zeroHash } from '#chain/codec/hex.ts';
import { contains, type Interval } from '#chain/intervals.ts';
import { getPartition } from '#sql/chain-tables.ts';
import type { RangeSummary } from '../encode/range-rows.ts';

export interface JournalRange extends RangeSummary {
  /** `void`: a rewind or repair removed the range, or a longer range includes it. */
  readonly state: 'started' | 'done' | 'void';
  readonly version: number;
}

export const getRangeKey = (range: Interval) => `${range.fromBlock}-${range.toBlock}`;

export interface Join {
  readonly joined: RangeSummary;
  /** Ranges to void, because `joined` covers them. */
  readonly parts: readonly RangeSummary[];
}

/** A repair holds a complete range in memory, so joined ranges must stay small. */
const maxBlocks = 1_000;

interface Group {
  joined: RangeSummary;
  readonly members: RangeSummary[];
}

/**
 * Plans joins of adjacent ranges with matching hashes. Skips the last range before each gap, which can still grow.
 * @param ranges stored ranges; some may lie within others, after an interrupted join
 */
export function planJoins(ranges: readonly RangeSummary[]): Join[] {
  const groups: Group[] = [];
  for (const range of [...ranges].sort((a, b) => a.fromBlock - b.fromBlock || b.toBlock - a.toBlock)) {
    const group = groups.at(-1);
    if (group && contains(group.joined, range)) group.members.push(range);
    else if (group && canFollow(group.joined, range)) {
      group.joined = add(group.joined, range);
      group.members.push(range);
    } else groups.push({ joined: range, members: [range] });
  }
  return groups.flatMap(({ joined, members }, i) => {
    const parts = members.filter((range) => getRangeKey(range) !== getRangeKey(joined));
    const isClosed = parts.length === members.length - 1 || groups[i + 1]?.joined.fromBlock === joined.toBlock + 1;
    return parts.length > 0 && isClosed ? [{ joined, parts }] : [];
  });
}

function canFollow(before: RangeSummary, range: RangeSummary): boolean {
  const { fromBlock, toBlock } = range;
  return (
    fromBlock === before.toBlock + 1 &&
    toBlock - before.fromBlock < maxBlocks &&
    getPartition(before.fromBlock) === getPartition(toBlock) &&
    (before.lastHash === range.parentHash || [before.lastHash, range.parentHash].includes(zeroHash))
  );
}

const add = (before: RangeSummary, range: RangeSummary): RangeSummary => ({
  ...before,
  toBlock: range.toBlock,
  lastHash: range.lastHash,
  lastTime: range.lastTime,
  transactionCount: before.transactionCount + range.transactionCount,
  logCount: before.logCount + range.logCount,
  roleCount: before.roleCount + range.roleCount,
  gasUsed: before.gasUsed + range.gasUsed,
});

/**
 * Returns the parts of a range outside another one. Sums stay those of the complete range; hashes at a cut are unknown.
 */
export function cutOut(range: RangeSummary, { fromBlock, toBlock }: Interval): RangeSummary[] {
  return [
    ...(range.fromBlock < fromBlock ? [{ ...range, toBlock: fromBlock - 1, lastHash: zeroHash }] : []),
    ...(range.toBlock > toBlock ? [{ ...range, fromBlock: toBlock + 1, parentHash: zeroHash }] : []),
  ];
}

/**
 * Returns whether no done range was repaired or rewound since.
 * @param after later entries, including ranges voided since
 */
export function areKept(before: readonly JournalRange[], after: readonly JournalRange[]): boolean {
  const byKey = new Map(after.map((range) => [getRangeKey(range), range]));
  const done = before.filter(({ state }) => state === 'done');
  return done.every((range) => {
    const now = byKey.get(getRangeKey(range));
    if (now?.state !== 'void') return now?.version === range.version;
    // a join stores the longer range before it voids the parts; a repair voids a range before storing it again
    return after.some((other) => other.state === 'done' && contains(other, range) && other.version < now.version);
  });
}
