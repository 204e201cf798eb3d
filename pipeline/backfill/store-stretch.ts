import PQueue from 'p-queue';
import { InvalidChainData } from '#chain/errors.ts';
import type { Interval } from '#chain/intervals.ts';
import { firstOfPartition } from '#sql/chain-tables.ts';
import type { CacheDeps, StoreDeps } from '../deps.ts';
import { RangeRows, type RangeSummary } from '../encode/range-rows.ts';
import { insertRange } from '../store/insert-rows.ts';
import type { Journal } from '../store/journal.ts';
import type { BackfillSettings } from './backfill-settings.ts';
import type { FetchAhead, QuarantinedBlock } from './fetch-ahead.ts';

export interface StretchDeps extends StoreDeps {
  readonly settings: Pick<BackfillSettings, 'insertTargetRows'>;
}

export interface StoreStretchOptions {
  readonly deps: StretchDeps;
  readonly journal: Journal;
  readonly source: FetchAhead;
  /** Called after a range is stored. Ranges may finish out of order. */
  readonly onRange?: (range: RangeSummary) => Promise<void> | void;
  readonly onQuarantined?: (block: QuarantinedBlock) => Promise<void>;
  readonly extend?: () => Promise<number | undefined>;
  /** Returns the hash that a block must have, if another source knows it. */
  readonly knownHash?: (block: number) => Promise<string | undefined>;
  readonly inOneRange?: boolean;
}

const maxInserts = 2;
/** Size from which a range is split, bytes, unless an insert is repeated. The database's limit is higher. */
const maxRangeBytes = 96 << 20;

/**
 * Fetches and inserts a range of blocks. Resolves at its end, or soon after the signal aborts.
 * @throws StoreError; InvalidChainData when hashes don't match (the batch is not inserted)
 */
export async function storeStretch(stretch: Interval, options: StoreStretchOptions): Promise<void> {
  const { deps, journal, source } = options;
  const inserts = new PQueue({ concurrency: maxInserts });
  let failure: unknown;
  let rows = new RangeRows(1);
  let parentHash = journal.getHash(stretch.fromBlock - 1);
  let parentTime = 0;

  const flush = async () => {
    if (rows.isEmpty) return;
    const range = rows;
    rows = new RangeRows(1);
    await inserts.onSizeLessThan(1);
    if (failure !== undefined) throw failure;
    const stored = inserts.add(async () => {
      await insertRange(deps.database, journal, range);
      await options.onRange?.(range.summary);
    });
    stored.catch((error: unknown) => {
      failure ??= error;
    });
  };

  try {
    for await (const piece of source.blocks(stretch, options.extend)) {
      if ('quarantined' in piece) {
        await flush();
        await options.onQuarantined?.(piece);
        parentHash = undefined;
        continue;
      }
      assertLinked(parentHash, parentTime, piece, journal);
      assertKnown(piece.summary, await options.knownHash?.(piece.summary.toBlock));
      parentHash = piece.summary.lastHash;
      parentTime = piece.summary.lastTime;
      if (mustCut(rows, piece, options)) await flush();
      rows.append(piece);
    }
    await flush();
  } finally {
    await inserts.onIdle();
  }
  if (failure !== undefined) throw failure;
}

/**
 * Checks parent hashes between new blocks and the stored ranges around them.
 * @throws InvalidChainData
 */
export function assertBetween(rows: RangeRows, journal: Journal): void {
  assertLinked(journal.getHash(rows.summary.fromBlock - 1), 0, rows, journal);
}

function assertLinked(before: string | undefined, timeBefore: number, piece: RangeRows, journal: Journal): void {
  const { fromBlock, toBlock, parentHash, lastHash, firstTime } = piece.summary;
  if (firstTime < timeBefore) throw new InvalidChainData('timestamp', fromBlock, 'the block is older than its parent');
  if (before !== undefined && before !== parentHash) {
    throw new InvalidChainData(
      'parent_link',
      fromBlock,
      `the block has parent ${parentHash}, but the previous block has hash ${before}`,
    );
  }
  const after = journal.getParentHash(toBlock + 1);
  if (after !== undefined && after !== lastHash) {
    throw new InvalidChainData(
      'parent_link',
      toBlock,
      `the block has hash ${lastHash}, but the next block has parent ${after}`,
    );
  }
}

/** After a parent hash error, removes the blocks around it from the raw cache, so that retries fetch them again. */
export async function dropUnlinkedFromCache({ rawCache }: CacheDeps, error: unknown): Promise<void> {
  if (!(error instanceof InvalidChainData) || error.violation !== 'parent_link') return;
  await rawCache?.remove({ fromBlock: error.blockNumber - 1, toBlock: error.blockNumber + 1 });
}

/** Checks the last of linked blocks. Its hash covers the blocks before it. */
function assertKnown({ toBlock, lastHash }: RangeSummary, known: string | undefined): void {
  if (known !== undefined && known !== lastHash)
    throw new InvalidChainData('parent_link', toBlock, `the block has hash ${lastHash}, but ${known} was followed`);
}

function mustCut(rows: RangeRows, next: RangeRows, { deps, inOneRange }: StoreStretchOptions): boolean {
  const { fromBlock } = next.summary;
  if (fromBlock === firstOfPartition(fromBlock)) return true;
  return !inOneRange && (rows.rows >= deps.settings.insertTargetRows || rows.bytes >= maxRangeBytes);
}
