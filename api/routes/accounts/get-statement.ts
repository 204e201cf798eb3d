import { z } from 'zod';
import type { ChainState } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import { assertRowsKept, holdLast } from '../../read/chain/hold-last.ts';
import type { AddressSets } from '../../read/deposits/address-sets.ts';
import { atReaderPace, type ExportSlots } from '../../read/export/places.ts';
import { type ReportDeps, runReport } from '../../read/query/query-turns.ts';
import type { ChainDeps } from '../../read/reader-deps.ts';
import {
  addNodeBalances,
  readIndexed,
  readStatementTimes,
  readStatementWindow,
  type StatementDeps,
  type StatementWindow,
  streamMovements,
} from '../../read/statements/read-statement.ts';
import { type CoinTotal, coinKinds, type Statement } from '../../read/statements/statement.ts';
import { assertFitsPdf, writePdf } from '../../read/statements/write-pdf.ts';
import { assertFitsCamt, writeCamt, writeCsv, writeNdjson, writeSheet } from '../../read/statements/write-statement.ts';
import { readTokenNames } from '../../read/tokens/token-names.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { NetworkDeps } from '../../terms/network.ts';
import { BlockNumber, Count, HexAddress, IndexInfo, UnixTime, Wei } from '../../terms/primitives.ts';
import { SetId } from '../deposits/address-set.ts';
import { AccountList, maxAccounts } from './account-list.ts';

const formats = {
  ndjson: { type: 'application/x-ndjson', ending: 'ndjson' },
  csv: { type: 'text/csv; charset=utf-8', ending: 'csv' },
  'csv-excel': { type: 'text/csv; charset=utf-8', ending: 'csv' },
  camt053: { type: 'application/xml; charset=utf-8', ending: 'xml' },
  pdf: { type: 'application/pdf', ending: 'pdf' },
} as const;

const SignedWei = z.string().regex(/^-?\d+$/);

/** Maximum addresses of the address set in `set`. */
const maxBook = 2_500;
/** Accounts included in one `cost`. Each further 100 accounts or part of them cost it again. */
const accountsPerCost = 100;
const cost = 10;

const sums = {
  kind: z.enum(coinKinds),
  direction: z.enum(['in', 'out']),
  movements: Count,
  amount: Wei,
  within: Wei.meta({ description: 'Part of the amount that moved between accounts of the statement' }),
};

const coinFields = {
  opening: Wei.nullable().meta({ description: 'Balance before the first block, from a node; null if unknown' }),
  closing: Wei.nullable().meta({ description: 'Balance after the last block, from a node; null if unknown' }),
  change: SignedWei.meta({ description: 'Sum of all movements, received minus sent, wei' }),
  difference: SignedWei.nullable().meta({
    description:
      'closing − opening − change. If `internal` is true, 0 proves that no movement is missing; else missing movements can cancel out. Null if a balance is unknown',
  }),
  sums: z.array(z.strictObject(sums)),
};

const tokenFields = {
  token: HexAddress,
  standard: z.string(),
  tokenId: z.string(),
  opening: z.string().nullable(),
  received: z.string(),
  sent: z.string(),
  within: z.string().meta({ description: 'Part of `received` that accounts of the statement sent' }),
  closing: z.string().nullable(),
  movements: Count,
  openingAtNode: z.string().nullable().meta({
    description:
      'Balance that the contract returns before the first block; null if no node has that state, or the contract does not answer',
  }),
  closingAtNode: z.string().nullable().meta({ description: 'The same after the last block' }),
  difference: SignedWei.nullable().meta({
    description:
      'closingAtNode − openingAtNode − received + sent. 0 proves that no transfer is missing; null if a balance is unknown',
  }),
};

const StatementReply = z
  .strictObject({
    fromBlock: Count,
    toBlock: Count,
    coin: z.array(z.strictObject({ account: HexAddress, ...coinFields })),
    tokens: z.array(z.strictObject({ account: HexAddress, ...tokenFields })).meta({
      description:
        'Tokens that an account held or transferred. Amounts are in the smallest unit and computed from transfers',
    }),
    total: z.strictObject({ coin: z.strictObject(coinFields), tokens: z.array(z.strictObject(tokenFields)) }).meta({
      id: 'StatementTotal',
      description:
        'Sums of all accounts. A difference of 0 is no proof here, because differences of two accounts can add up to 0',
    }),
    internal: z.boolean().meta({
      description:
        'true if internal calls of all blocks are indexed; if false, the field difference can include internal transfers',
    }),
    unknownBecause: z.string().nullable().meta({ description: 'Why balances are unknown; null if they are known' }),
    tokensUnknownBecause: z.string().nullable().meta({
      description: 'Why tokens can be missing, or were not compared with their contracts; null if all were compared',
    }),
    index: IndexInfo,
  })
  .meta({ id: 'Statement' });

type Deps = StatementDeps &
  ReportDeps &
  ChainDeps &
  NetworkDeps & {
    readonly exportSlots: ExportSlots;
    readonly addressSets: AddressSets;
  };

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
    accounts: AccountList.optional().meta({
      description: `Up to ${maxAccounts} addresses, separated by commas, in one statement`,
      example: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
      type: 'string',
    }),
    set: SetId.optional().meta({
      description: `Instead of accounts: id of an address set of up to ${maxBook} addresses (POST /address-sets)`,
    }),
    tokens: AccountList.optional().meta({
      description: `Limits the statement to the coin and these tokens: up to ${maxAccounts} contracts, separated by commas. Default: all tokens, at most 10,000`,
      type: 'string',
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
  errors: ['bad_query', 'not_found', 'indexing', 'state_unavailable', 'rate_limited', 'store_unavailable'],
  cost,
  maxAgeSeconds: 0,
  example: '/statement?accounts={account}',
  handle: async (
    deps: Deps,
    { query: { accounts: listed, set, tokens, format, ...query }, caller, address, charge, gone },
  ) => {
    const accounts = await readAccounts(deps, listed, set);
    const comparesTokens = format === 'json' || format === 'ndjson' || format === 'pdf';
    const asked = comparesTokens ? (tokens ?? 'all') : 'none';
    const more = cost * Math.floor((accounts.length - 1) / accountsPerCost);
    if (more > 0 && !(await charge(more))) throw new ApiProblem('rate_limited', 'too many requests');
    const reading = { ...deps, database: deps.database.cancelledBy(gone) };
    const read = async (state: ChainState) =>
      readIndexed(reading, accounts, await readStatementWindow(deps, state, query), asked);
    const indexed = await runReport(deps, { caller, address, gone }, read, { isFinal: true });
    const { window } = indexed;
    const statement = await addNodeBalances(deps, indexed, { comparesTokens });
    if (format === 'json') return deps.snapshots.run(async (state) => toReply(statement, indexInfo(deps, state)));
    if (format === 'pdf') assertFitsPdf(statement);
    if (format === 'camt053') assertFitsCamt(statement);
    const release = deps.exportSlots.take({ caller, address });
    try {
      return await streamStatement(deps, statement, { window, tokens, format, release });
    } catch (error) {
      release();
      throw error;
    }
  },
});

async function readAccounts(
  { addressSets }: Deps,
  listed: readonly string[] | undefined,
  set: string | undefined,
): Promise<readonly string[]> {
  if ((listed === undefined) === (set === undefined))
    throw new ApiProblem('bad_query', 'send exactly one of accounts and set');
  if (set === undefined) return listed ?? [];
  const addresses = await addressSets.addresses(await addressSets.require(set), maxBook + 1);
  if (addresses.length > 0 && addresses.length <= maxBook) return addresses;
  throw new ApiProblem(
    'bad_query',
    addresses.length === 0
      ? 'the address set is empty'
      : `the address set has more than ${maxBook} addresses: use several sets`,
  );
}

function toReply(statement: Statement, index: z.input<typeof IndexInfo>): z.input<typeof StatementReply> {
  const { fromBlock, toBlock, coin, tokens, total, hasInternal } = statement;
  const { unknownBecause = null, tokensUnknownBecause = null } = statement;
  return {
    ...{ fromBlock, toBlock },
    coin: coin.map((one) => ({ account: one.account, ...toCoin(one) })),
    tokens: tokens.map((token) => ({ ...token })),
    total: { coin: toCoin(total.coin), tokens: total.tokens.map((token) => ({ ...token })) },
    ...{ internal: hasInternal, unknownBecause, tokensUnknownBecause, index },
  };
}

const toCoin = ({ opening, closing, change, difference, sums: own }: CoinTotal) => ({
  ...{ opening: opening?.toString() ?? null, closing: closing?.toString() ?? null },
  ...{ change: String(change), difference: difference?.toString() ?? null },
  sums: own.map((sum) => ({ ...sum, amount: String(sum.amount), within: String(sum.within) })),
});

interface AskedFile {
  readonly window: StatementWindow;
  readonly tokens: readonly string[] | undefined;
  readonly format: keyof typeof formats;
  readonly release: () => void;
}

async function streamStatement(
  deps: Deps,
  statement: Statement,
  { window, tokens = [], format, release }: AskedFile,
): Promise<OtherReply> {
  const times = await readStatementTimes(deps, window);
  const dollarTokens = await readDollarTokens(deps);
  const rows = await streamMovements(deps, statement.accounts, window, tokens);
  rows.once('close', release);
  const { chainName, nativeCurrency } = deps.settings.network;
  const options = { ...times, chainName, symbol: nativeCurrency.symbol, dollarTokens };
  const lines = {
    ndjson: () => writeNdjson(rows, statement, options),
    csv: () => writeCsv(rows, statement, options),
    'csv-excel': () => writeSheet(deps, rows, statement, options),
    camt053: () => writeCamt(rows, statement, options),
    pdf: () => writePdf(deps, rows, statement, options),
  }[format]();
  const check = () => deps.snapshots.run(async (newest) => assertRowsKept(window.state, newest, window.toBlock));
  const body = atReaderPace(holdLast<Buffer | string>(lines, check));
  body.once('close', () => rows.destroy());
  const { type, ending } = formats[format];
  const name = `statement-${statement.accounts.length === 1 ? statement.accounts[0] : 'book'}`;
  return new OtherReply(type, body, {
    'Content-Disposition': `attachment; filename="${name}-${statement.fromBlock}-${statement.toBlock}.${ending}"`,
    'X-As-Of-Block': String(statement.toBlock),
    'X-Balances': statement.unknownBecause === undefined ? 'known' : 'unknown',
    'X-Traces': statement.hasInternal ? 'complete' : 'incomplete',
  });
}

/** Omits stablecoins without known decimals. */
async function readDollarTokens(deps: Deps): Promise<ReadonlyMap<string, number>> {
  const names = await readTokenNames(deps, deps.settings.price.dollars);
  return new Map(
    [...names].flatMap(([token, { decimals }]) => (decimals === null ? [] : [[token, decimals] as const])),
  );
}
