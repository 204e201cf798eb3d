import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isoTime } from '#chain/codec/iso-time.ts';
import { standardCode, tokenStandards } from '#chain/codec/token-abi.ts';
import { known } from '#runtime/known.ts';
import { type ChainState, finalThrough } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { absent, indexInfo } from '../../read/chain/freshness.ts';
import { assertFinalRowsKept, makeKeyedPage } from '../../read/chain/paging.ts';
import { type ReportDeps, runReport } from '../../read/query/query-turns.ts';
import type { SnapshotDeps, TimeDeps } from '../../read/reader-deps.ts';
import {
  type BalancesDeps,
  type HolderAfter,
  type HoldersAt,
  readHoldersAt,
  requireBlock,
} from '../../read/tokens/balances-at.ts';
import { requireToken, type TokenDeps } from '../../read/tokens/find-token.ts';
import { getHeldCode } from '../../read/tokens/token-ledger.ts';
import { type CursorKey, type Cursors, damaged, decodeCursor } from '../../terms/cursor.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { NetworkDeps } from '../../terms/network.ts';
import {
  Address,
  BlockNumber,
  Count,
  Cursor,
  HexAddress,
  IndexInfo,
  IsoTime,
  Limit,
  UnixSeconds,
  UnixTime,
} from '../../terms/primitives.ts';
import { toCsv } from '../charts/csv.ts';
import { isPicture, pictureFormats, pictureMediaTypes } from '../charts/picture-reply.ts';
import { drawHolders } from './balance-pictures.ts';
import { TokenStandardName } from './token.ts';

export interface SnapshotRouteDeps extends BalancesDeps, TokenDeps, SnapshotDeps, NetworkDeps {
  readonly cursors: Cursors;
  readonly settings: BalancesDeps['settings'] & NetworkDeps['settings'];
}

/** Maximum holders in a CSV file or Merkle tree. */
export const maxRows = 100_000;

export const Balance = z
  .string()
  .meta({ description: 'Balance in the smallest unit of the token; for NFTs the number of tokens' });
export const Standard = TokenStandardName.optional().meta({
  description: 'Token standard of the balances (default: the standard that /tokens/{address} returns)',
});

export const balancesPage = {
  limit: Limit,
  cursor: Cursor.optional(),
  format: z.enum(['json', 'csv'], 'must be json or csv').default('json').meta({ description: 'Format of the reply' }),
};

export const balancesMediaTypes = ['application/json', 'text/csv; charset=utf-8', ...pictureMediaTypes];

const formats = ['json', 'csv', ...pictureFormats] as const;

export const BalancesFormat = z.enum(formats, 'must be json, csv, svg or png').default('json');

export const SnapshotTime = UnixTime.optional().meta({
  description:
    'Return balances after the last block at or before this time, Unix seconds. If no block after the time is indexed yet, the reply is an error',
});

export const snapshotQuery = {
  block: BlockNumber.optional().meta({
    description: 'Return balances after this block (default: the newest finalized block)',
  }),
  time: SnapshotTime,
  standard: Standard,
};

export const SnapshotBlock = z
  .strictObject({
    number: Count,
    timestamp: UnixSeconds,
    datetime: IsoTime,
    finalized: z.boolean().meta({ description: 'false: a reorg may still replace this block' }),
  })
  .meta({ id: 'SnapshotBlock' });

/** Reply fields of a balance snapshot. */
export const snapshotFields = {
  token: HexAddress,
  standard: z.string(),
  block: SnapshotBlock,
  holders: Count,
  held: z.string().meta({ description: 'Sum of all balances' }),
};

export async function describeBlock({ blockTimes }: TimeDeps, state: ChainState, number: number) {
  const timestamp = known(await blockTimes.of(state, number), `the time of block ${number}`);
  return { number, timestamp, datetime: isoTime(timestamp), finalized: number <= finalThrough(state) };
}

export async function requireStandard(
  deps: SnapshotRouteDeps,
  state: ChainState,
  address: string,
  asked: z.output<typeof Standard>,
) {
  const token = await requireToken(deps, state, address);
  const figures = known(await deps.tokenLedger.of(state, address), 'ledger of a token');
  if (asked && asked !== token.standard && !figures.seenCodes.includes(standardCode(asked)))
    throw absent(deps, state, `${asked} token ${address}`);
  // a contract can report a standard that none of its events has
  const code = getHeldCode(figures, standardCode(asked ?? token.standard));
  return { token: address, standard: known(tokenStandards[code - 1], 'standard of a token') };
}

/** @source docs/questions.md */
export const getTokenSnapshot = defineRoute({
  id: 'getTokenSnapshot',
  base: '/api/v1',
  path: '/tokens/:address/snapshot',
  methods: ['get'],
  tag: 'tokens',
  summary: 'Holders of a token as of a block',
  description: `Balances are computed from all transfers up to the block. They are wrong for tokens whose balances change without transfer events. As CSV, the reply has all holders (at most ${maxRows}), and the header Repr-Digest (RFC 9530) has its SHA-256.`,
  params: z.object({ address: Address }),
  query: z.object({
    ...snapshotQuery,
    ...balancesPage,
    format: BalancesFormat.meta({ description: 'csv: all holders. svg, png: a picture of the highest balances' }),
  }),
  response: z
    .strictObject({
      ...snapshotFields,
      items: z.array(z.strictObject({ address: HexAddress, balance: Balance }).meta({ id: 'SnapshotHolder' })),
      nextCursor: z.string().nullable(),
      hasMore: z.boolean(),
      index: IndexInfo,
    })
    .meta({ id: 'TokenSnapshot' }),
  errors: [
    ...(['bad_query', 'invalid_cursor', 'snapshot_invalidated', 'not_found'] as const),
    ...(['indexing', 'rate_limited', 'store_unavailable'] as const),
  ],
  cost: 5,
  maxAgeSeconds: 1,
  mediaTypes: balancesMediaTypes,
  example: '/tokens/{token}/snapshot?block=100&limit=2',
  handle: (
    deps: SnapshotRouteDeps & ReportDeps,
    { params: { address }, query: { standard, limit, cursor, format, ...at }, caller, address: ip, gone },
  ) =>
    runReport(deps, { caller, address: ip, gone }, async (state) => {
      const of = await requireStandard(deps, state, address, standard);
      const filter = deps.cursors(['snapshot', address, of.standard, at]);
      const mark = cursor === undefined ? undefined : parseMark(state, decodeCursor(filter, cursor).key);
      const block = await requireBlock(deps, state, mark ? { block: mark.block } : at);
      if (isPicture(format)) return drawHolders(deps, state, of, block, format);
      if (format === 'csv')
        return toHoldersCsv(await readHoldersAt(deps, state, of, block, { limit: maxRows + 1 }), of.token, block);
      const { rows, holders, held } = await readHoldersAt(deps, state, of, block, { after: mark, limit: limit + 1 });
      const version = mark?.version ?? encodeVersion(state, block);
      const { page, ...more } = makeKeyedPage(rows, filter, limit, ({ balance, address: holder }) => [
        ...[block, version, balance, holder],
      ]);
      return {
        ...of,
        block: await describeBlock(deps, state, block),
        ...{ holders, held, items: page },
        ...more,
        index: indexInfo(deps, state),
      };
    }),
});

interface Mark extends HolderAfter {
  readonly block: number;
  /** Result of encodeVersion() at the first page. */
  readonly version: number;
}

/** Encodes the reorg generation and whether the block is finalized: then the number is below -1. */
const encodeVersion = ({ finalized, reorgGeneration }: ChainState, block: number) =>
  block > finalized ? reorgGeneration : -2 - reorgGeneration;

function parseMark(state: ChainState, [block, version, balance, address]: CursorKey): Mark {
  if (typeof block !== 'number' || typeof version !== 'number') throw damaged();
  // -1: finalized block, in cursors of earlier versions
  if (version < -1) assertFinalRowsKept(state, block, -2 - version);
  else if (version !== -1 && version !== state.reorgGeneration)
    throw new ApiProblem('snapshot_invalidated', 'a reorg may have replaced the block: restart from the first page');
  return { block, version, ...parseHolder(balance, address) };
}

/** @throws ApiProblem invalid_cursor */
export function parseHolder(balance: unknown, address: unknown): HolderAfter {
  if (!/^\d{1,78}$/.test(String(balance)) || !/^0x[0-9a-f]{40}$/.test(String(address))) throw damaged();
  return { balance: String(balance), address: String(address) };
}

export const tooManyRows = (count: string): ApiProblem =>
  new ApiProblem('bad_query', `there are ${count}, a file has at most ${maxRows}: use format=json`);

export function toHoldersCsv(
  { rows, holders }: HoldersAt,
  name: string,
  block: number,
  headers: Readonly<Record<string, string>> = {},
): OtherReply {
  if (rows.length > maxRows) throw tooManyRows(`${holders} holders`);
  const cells = rows.map(({ address, balance }) => [address, balance]);
  return csvFile(['address', 'balance'], cells, { name: `holders-${name}-${block}`, block }, headers);
}

/** Includes digest and last block in headers. @source RFC 9530, Repr-Digest */
export function csvFile(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  { name, block }: { readonly name: string; readonly block: number },
  headers: Readonly<Record<string, string>> = {},
): OtherReply {
  const text = toCsv(columns, rows);
  return new OtherReply('text/csv; charset=utf-8', text, {
    'Content-Disposition': `attachment; filename="${name}.csv"`,
    'Repr-Digest': `sha-256=:${createHash('sha256').update(text).digest('base64')}:`,
    'X-As-Of-Block': String(block),
    ...headers,
  });
}
