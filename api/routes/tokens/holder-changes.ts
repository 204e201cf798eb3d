import { z } from 'zod';
import { isoTime } from '#chain/codec/iso-time.ts';
import { getFirst, getLast } from '#runtime/lists.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { assertCovered, indexInfo } from '../../read/chain/freshness.ts';
import { readWindowBuckets } from '../../read/charts/window-buckets.ts';
import { type ReportDeps, runReport } from '../../read/query/query-turns.ts';
import type { CoverageDeps, TimeDeps } from '../../read/reader-deps.ts';
import {
  type HolderChange,
  type HolderChangesDeps,
  type HourRange,
  readHolderChanges,
} from '../../read/tokens/holder-changes.ts';
import { readTokenNames } from '../../read/tokens/token-names.ts';
import { nextBucket } from '../../terms/buckets.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Count, HexAddress, IndexInfo, IsoTime, Limit, UnixSeconds } from '../../terms/primitives.ts';
import { From, To } from '../charts/chart-query.ts';

const Change = z
  .strictObject({
    token: HexAddress,
    name: z.string().nullable(),
    symbol: z.string().nullable(),
    change: z.int().meta({ description: 'Number of holders at the end minus number at the start' }),
  })
  .meta({ id: 'HolderChange' });

interface Deps extends HolderChangesDeps, CoverageDeps, TimeDeps, ReportDeps {}

/** @source docs/questions.md */
export const listHolderChanges = defineRoute({
  id: 'listHolderChanges',
  base: '/api/v1',
  path: '/tokens/holder-changes',
  methods: ['get'],
  tag: 'tokens',
  summary: 'Tokens that gained or lost the most holders',
  description: 'Compares the number of holders at the start and the end of a time range of whole hours.',
  params: z.object({}),
  query: z.object({
    from: From.meta({ description: 'Start: a day (YYYY-MM-DD, UTC) or Unix seconds (default: a week before the end)' }),
    to: To.meta({ description: 'End: a day (YYYY-MM-DD, UTC) or Unix seconds, inclusive (default: the newest block)' }),
    limit: Limit,
  }),
  response: z
    .strictObject({
      from: z.strictObject({ timestamp: UnixSeconds, datetime: IsoTime }),
      to: z
        .strictObject({ timestamp: UnixSeconds, datetime: IsoTime })
        .meta({ description: 'End of the last hour, exclusive' }),
      counts: z
        .strictObject({ gained: Count, lost: Count })
        .meta({ description: 'Numbers of tokens that gained and lost holders' }),
      gained: z.array(Change).meta({ description: 'Largest gain first, at most `limit`' }),
      lost: z.array(Change).meta({ description: 'Largest loss first, at most `limit`' }),
      updatedAtBlock: Count,
      index: IndexInfo,
    })
    .meta({ id: 'HolderChanges' }),
  errors: ['bad_query', 'indexing', 'store_unavailable'],
  cost: 5,
  maxAgeSeconds: 1,
  example: '/tokens/holder-changes?limit=2',
  handle: (deps: Deps, { query: { from, to, limit }, caller, address, gone }) =>
    runReport(deps, { caller, address, gone }, async (state) => {
      assertCovered(deps, state, { from: 0, to: state.head }, 'numbers of holders need all earlier transfers');
      const range = await readRange(deps, state, from, to);
      const { gained, lost, counts } = await readHolderChanges(deps, state, range, limit);
      const names = await readTokenNames(
        deps,
        [...gained, ...lost].map(({ token }) => token),
      );
      const addNames = ({ token, change }: HolderChange) => {
        const { name = null, symbol = null } = names.get(token) ?? {};
        return { token, name, symbol, change };
      };
      const moment = (timestamp: number) => ({ timestamp, datetime: isoTime(timestamp) });
      return {
        ...{ from: moment(range.from), to: moment(range.to), counts },
        ...{ gained: gained.map(addNames), lost: lost.map(addNames) },
        updatedAtBlock: state.head,
        index: indexInfo(deps, state),
      };
    }),
});

/** Returns whole hours. @throws ApiProblem bad_query if the range has no block or too many hours */
async function readRange(
  deps: TimeDeps,
  state: ChainState,
  from: number | undefined,
  to: number | undefined,
): Promise<HourRange> {
  const buckets = await readWindowBuckets(deps, state, { resolution: 'hour', from, to });
  if (!buckets) throw new ApiProblem('bad_query', 'no indexed block is between from and to');
  return { from: getFirst(buckets.starts), to: nextBucket('hour', getLast(buckets.starts)) };
}
