import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import { atReaderPace, type ExportSlots } from '../../read/export/places.ts';
import type { ChainDeps, SnapshotDeps } from '../../read/reader-deps.ts';
import {
  coinKinds,
  readStatement,
  readStatementTimes,
  readStatementWindow,
  type Statement,
  type StatementDeps,
  type StatementWindow,
  streamMovements,
} from '../../read/statements/read-statement.ts';
import { assertFitsPdf, writePdf } from '../../read/statements/write-pdf.ts';
import { assertFitsCamt, writeCamt, writeCsv, writeNdjson, writeSheet } from '../../read/statements/write-statement.ts';
import type { NetworkDeps } from '../../terms/network.ts';
import { BlockNumber, Count, HexAddress, IndexInfo, UnixTime, Wei } from '../../terms/primitives.ts';
import { AccountList, maxAccounts } from './account-list.ts';

const formats = {
  ndjson: { type: 'application/x-ndjson', ending: 'ndjson' },
  csv: { type: 'text/csv; charset=utf-8', ending: 'csv' },
  'csv-excel': { type: 'text/csv; charset=utf-8', ending: 'csv' },
  camt053: { type: 'application/xml; charset=utf-8', ending: 'xml' },
  pdf: { type: 'application/pdf', ending: 'pdf' },
} as const;

const SignedWei = z.string().regex(/^-?\d+$/);

const StatementReply = z
  .strictObject({
    fromBlock: Count,
    toBlock: Count,
    coin: z.array(
      z.strictObject({
        account: HexAddress,
        opening: Wei.nullable().meta({ description: 'Balance before the first block, from a node; null if unknown' }),
        closing: Wei.nullable().meta({ description: 'Balance after the last block, from a node; null if unknown' }),
        change: SignedWei.meta({ description: 'Sum of all movements, received minus sent, wei' }),
        difference: SignedWei.nullable().meta({
          description: 'closing − opening − change. 0 proves that no movement is missing; null if a balance is unknown',
        }),
        sums: z.array(
          z.strictObject({ kind: z.enum(coinKinds), direction: z.enum(['in', 'out']), movements: Count, amount: Wei }),
        ),
      }),
    ),
    tokens: z
      .array(
        z.strictObject({
          account: HexAddress,
          token: HexAddress,
          standard: z.string(),
          tokenId: z.string(),
          opening: z.string().nullable(),
          received: z.string(),
          sent: z.string(),
          closing: z.string().nullable(),
          movements: Count,
        }),
      )
      .meta({
        description:
          'Tokens that an account held or transferred. Amounts are in the smallest unit and computed from transfers',
      }),
    internal: z.boolean().meta({
      description:
        'true if internal calls of all blocks are indexed; if false, the field difference can include internal transfers',
    }),
    unknownBecause: z.string().nullable().meta({ description: 'Why balances are unknown; null if they are known' }),
    index: IndexInfo,
  })
  .meta({ id: 'Statement' });

type Deps = StatementDeps & SnapshotDeps & ChainDeps & NetworkDeps & { readonly exportSlots: ExportSlots };

/** @source docs/statements.md */
export const getStatement = defineRoute({
  id: 'getStatement',
  base: '/api/v1',
  path: '/statement',
  methods: ['get'],
  tag: 'accounts',
  summary: 'Statement of accounts: balances, movements, proof of completeness',
  description:
    'Contains only finalized blocks. format=json returns balances and sums. The other formats list every movement of coin and tokens, with the balance after it.',
  params: z.object({}),
  query: z.object({
    accounts: AccountList.meta({
      description: `Up to ${maxAccounts} addresses, separated by commas, in one statement`,
      example: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    }),
    fromBlock: BlockNumber.optional().meta({ description: 'First block of the statement', example: '1' }),
    toBlock: BlockNumber.optional().meta({ description: 'Last block of the statement', example: '20' }),
    fromTime: UnixTime.optional().meta({ description: 'Start of the statement, Unix seconds, inclusive' }),
    toTime: UnixTime.optional().meta({ description: 'End of the period of the statement, Unix seconds, inclusive' }),
    format: z
      .enum(
        ['json', 'ndjson', 'csv', 'csv-excel', 'camt053', 'pdf'],
        'must be json, ndjson, csv, csv-excel, camt053 or pdf',
      )
      .default('json')
      .meta({
        description:
          'csv and ndjson have amounts in the smallest unit; csv-excel in units of the coin or token; camt053 has only the coin, and up to 100,000 movements of several accounts; pdf lists up to 10,000 movements',
      }),
  }),
  response: StatementReply,
  mediaTypes: ['application/json', ...new Set(Object.values(formats).map(({ type }) => type))],
  errors: ['bad_query', 'indexing', 'store_unavailable'],
  cost: 10,
  maxAgeSeconds: 0,
  example: '/statement?accounts={account}',
  handle: async (deps: Deps, { query: { accounts, format, ...query }, caller }) => {
    const { window, statement } = await deps.snapshots.run(
      async (state) => {
        const window = await readStatementWindow(deps, state, query);
        return { window, statement: await readStatement(deps, accounts, window) };
      },
      { isExpensive: true },
    );
    if (format === 'json') return deps.snapshots.run(async (state) => toReply(statement, indexInfo(deps, state)));
    if (format === 'pdf') assertFitsPdf(statement);
    if (format === 'camt053') assertFitsCamt(statement);
    const release = deps.exportSlots.take(caller);
    try {
      return await streamStatement(deps, statement, window, format, release);
    } catch (error) {
      release();
      throw error;
    }
  },
});

function toReply(statement: Statement, index: z.input<typeof IndexInfo>): z.input<typeof StatementReply> {
  const { fromBlock, toBlock, coin, tokens, hasInternal, unknownBecause = null } = statement;
  return {
    ...{ fromBlock, toBlock },
    coin: coin.map(({ account, opening, closing, change, difference, sums }) => ({
      ...{ account, opening: opening?.toString() ?? null, closing: closing?.toString() ?? null },
      ...{ change: String(change), difference: difference?.toString() ?? null },
      sums: sums.map((sum) => ({ ...sum, amount: String(sum.amount) })),
    })),
    tokens: tokens.map((token) => ({ ...token })),
    ...{ internal: hasInternal, unknownBecause, index },
  };
}

async function streamStatement(
  deps: Deps,
  statement: Statement,
  window: StatementWindow,
  format: keyof typeof formats,
  release: () => void,
): Promise<OtherReply> {
  const times = await readStatementTimes(deps, window);
  const rows = await streamMovements(deps, statement.accounts, window);
  rows.once('close', release);
  const { chainName, nativeCurrency } = deps.settings.network;
  const options = { ...times, chainName, symbol: nativeCurrency.symbol };
  const lines = {
    ndjson: () => writeNdjson(rows, statement, options),
    csv: () => writeCsv(rows, statement, options),
    'csv-excel': () => writeSheet(deps, rows, statement, options),
    camt053: () => writeCamt(rows, statement, options),
    pdf: () => writePdf(deps, rows, statement, options),
  }[format]();
  const body = atReaderPace(lines);
  body.once('close', () => rows.destroy());
  const { type, ending } = formats[format];
  const name = `statement-${statement.accounts.length === 1 ? statement.accounts[0] : 'book'}`;
  return new OtherReply(type, body, {
    'Content-Disposition': `attachment; filename="${name}-${statement.fromBlock}-${statement.toBlock}.${ending}"`,
    'X-As-Of-Block': String(statement.toBlock),
  });
}
