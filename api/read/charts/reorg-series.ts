/** Counts reorgs by the time of the last common block. */
import { snapshotParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { bucketStart, fixedSeconds, isFixed } from '../../terms/buckets.ts';
import { blockWindow } from '../chain/block-window.ts';
import { type OwnSeries, requestWindow, type SeriesRequest } from './own-series.ts';

interface ReorgFigures {
  readonly count: number;
  readonly removed: number;
  readonly deepest: number;
}

const none: ReorgFigures = { count: 0, removed: 0, deepest: 0 };

export const reorgSeries =
  (value: (figures: ReorgFigures) => number): OwnSeries =>
  async (request) => {
    const figures = new Map<number, ReorgFigures>();
    for (const row of await readReorgs(request)) {
      const start = bucketStart(request.resolution, row.time);
      const sum = figures.get(start) ?? none;
      figures.set(start, {
        count: sum.count + Number(row.reorg_count),
        removed: sum.removed + Number(row.removed_count),
        deepest: Math.max(sum.deepest, Number(row.deepest)),
      });
    }
    return new Map([...figures].map(([start, sum]) => [start, String(value(sum))]));
  };

async function readReorgs(request: SeriesRequest): Promise<RowOf<'reorg_buckets'>[]> {
  const { deps, state, resolution } = request;
  const { from, to } = requestWindow(request);
  const { fromBlock, toBlock } = await blockWindow(deps, state, state, { fromTime: from, toTime: to });
  return deps.database.read('reorg_buckets', {
    ...snapshotParameters(state),
    from_block: fromBlock,
    to_block: toBlock,
    bucket_seconds: fixedSeconds[isFixed(resolution) ? resolution : 'day'],
  });
}
