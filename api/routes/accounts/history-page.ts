import { z } from 'zod';
import type { HistoryAhead } from '../../read/accounts/history-ahead.ts';
import { allRoles, namedRoles, roleMasks } from '../../read/accounts/history-shape.ts';
import { type HistoryDeps, planHistoryScan } from '../../read/accounts/read-history.ts';
import { getCoverage, readInternalCoverage } from '../../read/chain/freshness.ts';
import { getPosition, maxBlock, readDistinct } from '../../read/chain/paging.ts';
import type { ScanDeps } from '../../read/chain/scan-budget.ts';
import { walkList } from '../../read/chain/walk-list.ts';
import type { SignatureDeps } from '../../read/contracts/signatures/signatures.ts';
import type { ChainDeps, ListDeps, TimeDeps } from '../../read/reader-deps.ts';
import type { Position } from '../../terms/cursor.ts';
import { ApiProblem } from '../../terms/errors.ts';
import {
  Address,
  BlockNumber,
  Count,
  IndexInfo,
  LastBlock,
  MethodId,
  Order,
  pageParameters,
  shortPages,
  timeRange,
  WeiAmount,
} from '../../terms/primitives.ts';
import { HistoryRow, historyRow } from '../history-row.ts';

const Window = z.strictObject({ from: Count, to: Count });

export const Coverage = z
  .strictObject({
    from: Count.meta({ description: 'First requested block' }),
    to: Count.meta({ description: 'Last requested block, at most the newest block that a node has reported' }),
    indexedFrom: Count.meta({ description: 'First block of the index (START_BLOCK)' }),
    indexedTo: Count.meta({ description: 'Newest block that the reply can include' }),
    gaps: z.array(Window).meta({
      description:
        'Requested blocks that are not indexed, or that a node contradicts, as ranges that include both ends',
    }),
    complete: z.boolean().meta({
      description:
        'true if `gaps` is empty. If the request has no last block, or one that is not indexed yet, a node or the pipeline must also have reported a block in the last 15 s',
    }),
    freshness_tolerance_blocks: Count.meta({
      description: 'Highest `index.lagBlocks` with which `index.complete` is true',
    }),
    internal: z.boolean().meta({
      description: 'true if the index contains the internal transfers of all requested blocks, up to the newest block',
    }),
    internalRanges: z.array(Window).meta({
      description: 'Ranges of requested blocks whose internal transfers are indexed; empty if tracing is switched off',
    }),
  })
  .meta({ id: 'Coverage' });

export const HistoryPage = z
  .strictObject({
    transactions: z.array(HistoryRow),
    nextCursor: z.string().nullable(),
    hasMore: z.boolean(),
    limit: Count,
    source: z.enum(['addr-index', 'addr-index-empty']).meta({
      description:
        'addr-index-empty: the account certainly has no matching transactions in the requested blocks, because all of them are indexed; if coverage.internal is false, it may have internal transfers. addr-index: all other replies',
    }),
    coverage: Coverage,
    index: IndexInfo,
  })
  .meta({ id: 'HistoryPage' });

export const HistoryQuery = z.object({
  from: BlockNumber.optional().meta({ description: 'First block of the range' }),
  to: LastBlock.optional().meta({
    description: 'Last block of the range; it may be above the newest block',
  }),
  ...timeRange,
  role: z.enum(['from', 'to', 'log', 'internal'], 'must be from, to, log or internal').optional().meta({
    description:
      'Return only transactions in which the account is the sender (from), is the recipient (to), emitted a log (log), or takes part in internal transfers (internal). It may have other roles too',
  }),
  minValue: WeiAmount.optional().meta({
    description: `Minimum value of a transaction, wei. Leaves out transactions in which the account takes part only through internal transfers. ${shortPages}`,
  }),
  method: MethodId.optional(),
  counterparty: Address.optional().meta({
    description: 'Return only transactions whose sender, recipient or created contract is this account',
  }),
  order: Order,
  ...pageParameters,
});

export type HistoryPageDeps = ListDeps &
  TimeDeps &
  ScanDeps &
  HistoryDeps &
  ChainDeps &
  SignatureDeps & { readonly historyAhead: HistoryAhead };

function parseConditions({ role, minValue, method, counterparty }: z.output<typeof HistoryQuery>) {
  const conditions = Object.entries({ minValue, method, counterparty }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  const hasConditions = conditions.length > 0;
  if (hasConditions && role === 'internal')
    throw new ApiProblem(
      'bad_query',
      'minValue, method and counterparty apply to transactions and cannot be combined with role=internal',
    );
  const roles = role ? roleMasks[role] : allRoles;
  const mask = hasConditions ? roles & namedRoles : roles;
  return { mask, conditions, isScanned: (mask & namedRoles) !== 0 && (hasConditions || role !== undefined) };
}

/** @param reader caller who may use the cursors; empty: any caller */
export function readHistoryPage(
  deps: HistoryPageDeps,
  address: string,
  query: z.output<typeof HistoryQuery>,
  reader = '',
): Promise<z.input<typeof HistoryPage>> {
  const { from = 0, to: end, fromTime = '', toTime = '', role = '', limit, order, cursor } = query;
  const { minValue, method, counterparty } = query;
  const to = end ?? maxBlock;
  const { mask, conditions, isScanned } = parseConditions(query);
  const scope = ['history', address, from, to, fromTime, toTime, role, order, reader, ...conditions];
  return walkList(deps, scope, { ...query, fromBlock: from, toBlock: to }, async (walk) => {
    const { state, pin, window, after } = walk;
    const scan = isScanned
      ? await planHistoryScan(deps, state, { address, order, window }, after)
      : { window, stoppedAt: undefined };
    // rows read ahead for the next page are outdated if internal transfers of more blocks were indexed since
    const ranges = cursor === undefined ? [] : await deps.traced.ranges(state);
    // cut at the finalized block: the last range grows with each block, but rows read ahead are all finalized
    const traced = ranges.map(({ from, to }) => `${from}-${Math.min(to, state.finalized)}`).join(',');
    const shape = { address, ...scan.window, order, mask, minValue, method, counterparty, traced };
    const readRows = (behind: Position, count: number) => deps.accountHistory.read(state, shape, behind, count);
    const readAhead = () =>
      deps.historyAhead.rows({ state, shape, after, limit }, (behind, count) =>
        readDistinct(readRows, behind, count, getPosition),
      );
    const hasInternal = (mask & roleMasks.internal) !== 0;
    const mark = { stoppedAt: scan.stoppedAt, traced: hasInternal ? await deps.traced.ranges(state) : undefined };
    const { page, hasMore, nextCursor } =
      cursor === undefined || isScanned
        ? await walk.read(readRows, getPosition, mark)
        : walk.cut(await readAhead(), getPosition, mark);
    const internal = await readInternalCoverage(deps, state, from, end, pin);
    const coverage = { ...getCoverage(deps, state, from, end, pin), ...internal };
    const methodNames = await deps.signatures.methodNames(page.map(({ method_id }) => method_id));
    const transactions = page.map((row) => historyRow(deps.settings.chainId, state, row, methodNames));
    const isCovered = coverage.complete && (mask !== roleMasks.internal || coverage.internal);
    const isProvenEmpty = transactions.length === 0 && !hasMore && cursor === undefined && isCovered;
    const source = isProvenEmpty ? ('addr-index-empty' as const) : ('addr-index' as const);
    return { transactions, nextCursor, hasMore, source, coverage };
  });
}
