import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import type { BlockWindow } from '../../read/chain/block-window.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import { assertWindow } from '../../read/chain/paging.ts';
import type { BlockOrTime } from '../../read/chain/select-block.ts';
import { type ReportDeps, runReport } from '../../read/query/query-turns.ts';
import { type BalanceChanges, readBalanceChanges, requireBlock } from '../../read/tokens/balances-at.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Address, BlockNumber, Count, HexAddress, IndexInfo, Limit, UnixTime } from '../../terms/primitives.ts';
import { isPicture } from '../charts/picture-reply.ts';
import { drawChanges } from './balance-pictures.ts';
import {
  Balance,
  BalancesFormat,
  balancesMediaTypes,
  csvFile,
  describeBlock,
  maxRows,
  requireStandard,
  SnapshotBlock,
  type SnapshotRouteDeps,
  Standard,
  tooManyRows,
} from './token-snapshot.ts';

const Change = z.strictObject({ address: HexAddress, before: Balance, after: Balance }).meta({ id: 'BalanceChange' });

export const changesQuery = {
  fromBlock: BlockNumber.optional().meta({
    description: 'First block: changes after it are returned. Either fromBlock or fromTime is required',
    example: '50',
  }),
  fromTime: UnixTime.optional().meta({ description: 'Or the last block at or before this time, Unix seconds' }),
  toBlock: BlockNumber.optional().meta({
    description: 'Last block: changes up to it are returned (default: the newest finalized block)',
    example: '100',
  }),
  toTime: UnixTime.optional().meta({ description: 'Or the last block at or before this time, Unix seconds' }),
  limit: Limit,
  format: z
    .enum(['json', 'csv'], 'must be json or csv')
    .default('json')
    .meta({ description: `csv: all changes, at most ${maxRows} rows` }),
};

export interface ChangesWindow {
  readonly fromBlock?: number | undefined;
  readonly fromTime?: number | undefined;
  readonly toBlock?: number | undefined;
  readonly toTime?: number | undefined;
}

/** @throws ApiProblem bad_query if the first block is missing */
export function parseEnds({
  fromBlock,
  fromTime,
  toBlock,
  toTime,
}: ChangesWindow): readonly [BlockOrTime, BlockOrTime] {
  if (fromBlock === undefined && fromTime === undefined)
    throw new ApiProblem('bad_query', 'send fromBlock or fromTime');
  return [
    { block: fromBlock, time: fromTime },
    { block: toBlock, time: toTime },
  ];
}

/** @source docs/questions.md */
export const listBalanceChanges = defineRoute({
  id: 'listBalanceChanges',
  base: '/api/v1',
  path: '/tokens/:address/changes',
  methods: ['get'],
  tag: 'tokens',
  summary: 'Accounts whose token balance changed between two blocks',
  description:
    'Compares the balances after both blocks. The largest changes come first. The CSV file has the SHA-256 of its content in the header Repr-Digest (RFC 9530).',
  params: z.object({ address: Address }),
  query: z.object({
    ...changesQuery,
    format: BalancesFormat.meta({
      description: `csv: all changes, at most ${maxRows} rows. svg, png: a picture of the largest changes`,
    }),
    standard: Standard,
  }),
  response: z
    .strictObject({
      token: HexAddress,
      standard: z.string(),
      from: SnapshotBlock,
      to: SnapshotBlock,
      counts: z.strictObject({ gained: Count, lost: Count, joined: Count, left: Count }).meta({
        description:
          'Numbers of addresses whose balance rose, whose balance fell, that became holders, and that stopped being holders',
      }),
      gained: z.array(Change),
      lost: z.array(Change),
      index: IndexInfo,
    })
    .meta({ id: 'BalanceChanges' }),
  errors: ['bad_query', 'not_found', 'indexing', 'rate_limited', 'store_unavailable'],
  cost: 5,
  maxAgeSeconds: 1,
  mediaTypes: balancesMediaTypes,
  example: '/tokens/{token}/changes?fromBlock=50&toBlock=100&limit=2',
  handle: (
    deps: SnapshotRouteDeps & ReportDeps,
    { params: { address }, query: { standard, limit, format, ...window }, caller, address: ip, gone },
  ) =>
    runReport(deps, { caller, address: ip, gone }, async (state) => {
      const of = await requireStandard(deps, state, address, standard);
      const [first, last] = parseEnds(window);
      const [from, to] = await Promise.all([requireBlock(deps, state, first), requireBlock(deps, state, last)]);
      assertWindow(from, to);
      const range = { fromBlock: from, toBlock: to };
      if (isPicture(format)) return drawChanges(deps, state, of, range, format);
      if (format === 'csv') return toFile(of.token, range, await readBalanceChanges(deps, state, of, range, maxRows));
      const changes = await readBalanceChanges(deps, state, of, range, limit);
      return {
        ...of,
        from: await describeBlock(deps, state, from),
        to: await describeBlock(deps, state, to),
        ...changes,
        index: indexInfo(deps, state),
      };
    }),
});

function toFile(token: string, { fromBlock, toBlock }: BlockWindow, { gained, lost, counts }: BalanceChanges) {
  const all = counts.gained + counts.lost;
  if (all > maxRows) throw tooManyRows(`${all} changes`);
  const rows = [...gained, ...lost].map(({ address, before, after }) => [address, before, after]);
  const name = `changes-${token}-${fromBlock}-${toBlock}`;
  return csvFile(['address', 'before', 'after'], rows, { name, block: toBlock });
}
