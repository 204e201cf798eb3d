import { Readable } from 'node:stream';
import { z } from 'zod';
import { known } from '#runtime/known.ts';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { type ExportFormat, exportFormats, exportKinds } from '../../read/export/kinds.ts';
import { type ExportPlaces, ReaderPace } from '../../read/export/places.ts';
import { type Certificate, certify, type ExportPlan, planExport } from '../../read/export/plan.ts';
import type { CoverageDeps, SnapshotDeps, StoreDeps, TimeDeps } from '../../read/reader-deps.ts';
import { Address, BlockNumber, Count, UnixTime } from '../../terms/primitives.ts';

const CertificateReply = z
  .strictObject({
    kind: z.enum(exportKinds),
    fromBlock: Count,
    toBlock: z.number().int().meta({ description: 'Last block of the export: settled, never above the finalized one' }),
    rows: Count,
    digest: z.string().meta({
      description:
        'Over the fields that make a row what it is, joined by ":" (transactions: blockNumber, txIndex, txHash, status, gasUsed, fee; transfers: blockNumber, logIndex, batchIndex, token, from, to, tokenId, value; logs: blockNumber, logIndex, txHash, address, topic0 to topic3, data; anchors: blockNumber, blockHash; null is empty): the first 8 bytes of the SHA-256 as an integer, summed modulo 2^64, 16 hex digits. The same for every export of a window, in any format and order; digests of parts add up',
    }),
    gaps: z.array(z.strictObject({ from: Count, to: Count })),
    unfinalized: z
      .strictObject({ from: Count, to: Count })
      .nullable()
      .meta({ description: 'Part of the window asked for that is left out: it is above the last settled block' }),
    complete: z.boolean().meta({ description: 'True when the export holds all of the window asked for' }),
  })
  .meta({ id: 'ExportCertificate' });

const params = z.object({
  kind: z
    .enum(exportKinds, `must be one of ${exportKinds.join(', ')}`)
    .meta({ description: 'What is exported', example: 'transactions' }),
});

const window = {
  address: Address.optional().meta({ description: 'Transactions and transfers it took part in, logs it emitted' }),
  token: Address.optional().meta({ description: 'Only transfers of this token' }),
  fromBlock: BlockNumber.optional().meta({ description: 'First block, inclusive' }),
  toBlock: BlockNumber.optional().meta({ description: 'Last block, inclusive; what is not settled yet is left out' }),
  fromTime: UnixTime.optional(),
  toTime: UnixTime.optional(),
  after: z
    .string()
    .regex(/^\d{1,15}:\d{1,9}(:\d{1,9})?$/, 'must be <blockNumber>:<index> of the last row received')
    .transform((text) => {
      const [block, index, batch] = text.split(':').map(Number);
      return { block: known(block, 'a block'), index: known(index, 'an index'), batch };
    })
    .optional()
    .meta({
      description:
        'Take up an export again behind the last row received: blockNumber:txIndex of transactions, blockNumber:logIndex of logs, blockNumber:logIndex:batchIndex of transfers, blockNumber:0 of anchors',
      example: '1200:3',
    }),
};

type ExportDeps = StoreDeps & CoverageDeps & TimeDeps & SnapshotDeps;

/** @source specification 4.14 (export procedure); conventions M6 and M7 */
export const exportRows = defineRoute({
  id: 'exportRows',
  base: '/api/v1',
  path: '/export/:kind',
  methods: ['get'],
  tag: 'export',
  summary:
    'All rows of an account, a token or the chain, streamed without a cap; how many they are and their digest come behind them, in trailers and in the last NDJSON record',
  section: '4.14',
  params,
  query: z.object({
    ...window,
    format: z
      .enum(['ndjson', 'csv', 'parquet', 'arrow'], 'must be ndjson, csv, parquet or arrow')
      .default('ndjson')
      .meta({ description: 'Format of the file' }),
  }),
  response: z.string(),
  mediaTypes: Object.values(exportFormats).map(({ type }) => type),
  errors: ['bad_query', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: '/export/transactions?fromBlock=1&toBlock=20',
  handle: async (
    deps: ExportDeps & { readonly exportPlaces: ExportPlaces },
    { params: { kind }, query: { format, ...query }, caller },
  ) => {
    const giveBack = deps.exportPlaces.take(caller);
    try {
      return await openExport(deps, { kind, ...query }, format, giveBack);
    } catch (error) {
      giveBack();
      throw error;
    }
  },
});

async function openExport(
  deps: ExportDeps,
  query: Parameters<typeof planExport>[2],
  format: ExportFormat,
  giveBack: () => void,
): Promise<OtherReply> {
  // rows are opened once the plan is final: if the plan were repeated, its first stream would stay open unread
  const plan = await deps.snapshots.run((state) => planExport(deps, state, query));
  const rows = await openRows(deps, plan, format);
  rows.once('close', giveBack);
  return exportReply(deps, plan, format, rows);
}

/** @source conventions M7 */
export const certifyExport = defineRoute({
  id: 'certifyExport',
  base: '/api/v1',
  path: '/export/:kind/certificate',
  methods: ['get'],
  tag: 'export',
  summary: 'What an export of this window holds: rows, digest, gaps',
  section: '4.14',
  params,
  query: z.object(window),
  response: CertificateReply,
  errors: ['bad_query', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: '/export/transactions/certificate?fromBlock=1&toBlock=20',
  handle: (deps: ExportDeps, { params: { kind }, query }) =>
    deps.snapshots.run(async (state) => {
      const certificate = await certify(deps, await planExport(deps, state, { kind, ...query }));
      return { ...certificate, gaps: [...certificate.gaps] };
    }),
});

/** Bytes of the rows; given up when the client is. */
async function openRows({ database }: StoreDeps, plan: ExportPlan, format: ExportFormat): Promise<Readable> {
  const gone = new AbortController();
  const rows = await database.stream(plan.statements.rows, exportFormats[format].format, plan.parameters, gone.signal);
  rows.once('close', () => gone.abort());
  return rows;
}

function exportReply(deps: StoreDeps, plan: ExportPlan, format: ExportFormat, rows: Readable): OtherReply {
  const { type, ending } = exportFormats[format];
  const { kind, fromBlock, toBlock, gaps, unfinalized } = plan.window;
  const proof: { certificate?: Certificate } = {};
  const pace = new ReaderPace();
  const body = Readable.from(certified(deps, plan, format, { rows, pace }, proof), { objectMode: false });
  pace.watch(body);
  body.once('close', () => rows.destroy()); // of a body that nobody began to read too
  const headers = {
    'Content-Disposition': `attachment; filename="${kind}-${fromBlock}-${toBlock}.${ending}"`,
    'X-Export-Window': `${fromBlock}-${toBlock}`,
    'X-Export-Gaps': JSON.stringify(gaps),
    ...(unfinalized ? { 'X-Export-Unsettled': `${unfinalized.from}-${unfinalized.to}` } : {}),
  };
  return new OtherReply(type, body, headers, {
    names: ['X-Export-Rows', 'X-Export-Digest'],
    values: () => ({
      'X-Export-Rows': String(proof.certificate?.rows),
      'X-Export-Digest': String(proof.certificate?.digest),
    }),
  });
}

/** The rows, then what they must amount to: a stream that broke off has neither. */
async function* certified(
  deps: StoreDeps,
  plan: ExportPlan,
  format: ExportFormat,
  { rows, pace }: { rows: Readable; pace: ReaderPace },
  proof: { certificate?: Certificate },
): AsyncGenerator<Buffer> {
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    pace.offer();
    yield chunk;
    pace.took(chunk.length);
  }
  proof.certificate = await certify(deps, plan);
  if (format === 'ndjson') yield Buffer.from(`${JSON.stringify({ certificate: proof.certificate })}\n`);
}
