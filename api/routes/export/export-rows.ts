import type { Readable } from 'node:stream';
import { z } from 'zod';
import { known } from '#runtime/known.ts';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { type Certificate, type CertifyDeps, certify, certifySent } from '../../read/export/certify.ts';
import { type ExportFormat, exportFormats, exportKinds } from '../../read/export/kinds.ts';
import { atReaderPace, type ExportSlots } from '../../read/export/places.ts';
import { type ExportPlan, planExport } from '../../read/export/plan.ts';
import { type SheetDeps, sheetKinds, toSheet } from '../../read/export/sheet.ts';
import type { TimeDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Address, BlockNumber, LastBlock, timeRange } from '../../terms/primitives.ts';
import { CertificateReply, ExportLine } from './export-line.ts';

const params = z.object({
  kind: z
    .enum(exportKinds, `must be one of ${exportKinds.join(', ')}`)
    .meta({ description: 'Kind of rows to export', example: 'transactions' }),
});

const window = {
  address: Address.optional().meta({
    description: 'Return only transactions and transfers of this address, or logs that it emitted',
  }),
  token: Address.optional().meta({ description: 'Return only transfers of this token' }),
  fromBlock: BlockNumber.optional().meta({ description: 'First block of the range' }),
  toBlock: LastBlock.optional().meta({
    description: 'Last block of the range; an export contains only finalized blocks',
  }),
  ...timeRange,
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
        'Last row that you received; an interrupted export resumes after this row. Give blockNumber:txIndex for transactions, blockNumber:logIndex for logs, blockNumber:logIndex:batchIndex for transfers, blockNumber:0 for anchors',
      example: '1200:3',
    }),
};

type ExportDeps = CertifyDeps & TimeDeps & { readonly exportSlots: ExportSlots };

/** @source docs/exports.md */
export const exportRows = defineRoute({
  id: 'exportRows',
  base: '/api/v1',
  path: '/export/:kind',
  methods: ['get'],
  tag: 'export',
  summary: 'Exports all rows of an account, a token or the chain',
  description:
    'HTTP trailers contain the row count and digest of the export. In NDJSON, the last line also contains them. If you receive neither, the export is incomplete: resume it with the parameter `after`.',
  params,
  query: z.object({
    ...window,
    format: z
      .enum(['ndjson', 'csv', 'parquet', 'arrow', 'csv-excel'], 'must be ndjson, csv, parquet, arrow or csv-excel')
      .default('ndjson')
      .meta({
        description:
          'Format of the exported file. csv-excel is for spreadsheets and contains only transactions or transfers: amounts in units of the coin or token, ISO dates, names of methods, roles and results in words',
      }),
  }),
  response: z.string(),
  mediaTypes: [...new Set(Object.values(exportFormats).map(({ type }) => type))],
  item: { [exportFormats.ndjson.type]: ExportLine },
  errors: ['bad_query', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: '/export/transactions?fromBlock=1&toBlock=20',
  handle: async (
    deps: ExportDeps & SheetDeps,
    { params: { kind }, query: { format, ...query }, caller, address, gone },
  ) => {
    const release = deps.exportSlots.take({ caller, address });
    try {
      const reply = await openExport(deps, { kind, ...query }, format, gone);
      // closes after the certificate is counted, or when the client disconnects
      reply.body.once('close', release);
      return reply;
    } catch (error) {
      release();
      throw error;
    }
  },
});

async function openExport(
  deps: ExportDeps & SheetDeps,
  query: Parameters<typeof planExport>[2],
  format: ExportFormat,
  gone: AbortSignal,
): Promise<OtherReply & { readonly body: Readable }> {
  const sheetKind = format === 'csv-excel' ? sheetKinds.find((kind) => kind === query.kind) : undefined;
  if (format === 'csv-excel' && sheetKind === undefined)
    throw new ApiProblem(
      'bad_query',
      `format csv-excel is accepted for ${sheetKinds.join(' and ')}, not for ${query.kind}`,
    );
  // open the row stream outside run(), because a repeated run would leave the first stream open
  const plan = await deps.snapshots.run((state) => planExport(deps, state, query));
  const database = deps.database.cancelledBy(gone);
  const opened = await database.stream(plan.statements.rows, exportFormats[format].format, plan.parameters);
  const rows = sheetKind === undefined ? opened : toSheet(deps, sheetKind, opened);
  return exportReply(deps, plan, { format, rows, gone });
}

export const certifyExport = defineRoute({
  id: 'certifyExport',
  base: '/api/v1',
  path: '/export/:kind/certificate',
  methods: ['get'],
  tag: 'export',
  summary: 'Row count, digest and gaps of an export',
  description: 'Computes row count and digest of the export with the same parameters, without sending its rows.',
  params,
  query: z.object(window),
  response: CertificateReply,
  errors: ['bad_query', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: '/export/transactions/certificate?fromBlock=1&toBlock=20',
  cost: 5,
  handle: async (deps: ExportDeps, { params: { kind }, query, caller, address, gone }) => {
    const release = deps.exportSlots.take({ caller, address });
    try {
      const plan = await deps.snapshots.run((state) => planExport(deps, state, { kind, ...query }));
      const certificate = await certify(deps, plan, gone);
      return { ...certificate, gaps: [...certificate.gaps] };
    } finally {
      release();
    }
  },
});

function exportReply(deps: CertifyDeps, plan: ExportPlan, sent: Omit<Certified, 'proof'>) {
  const { format, rows } = sent;
  const { type, ending } = exportFormats[format];
  const { kind, fromBlock, toBlock, gaps, unfinalized } = plan.window;
  const { address, token } = plan.parameters;
  const subject = [address, token].filter((digits) => digits !== '').map((digits) => `-0x${digits}`);
  const proof: { certificate?: Certificate } = {};
  const body = atReaderPace(certified(deps, plan, { ...sent, proof }));
  body.once('close', () => rows.destroy()); // also if no row was sent
  const headers = {
    'Content-Disposition': `attachment; filename="${kind}${subject.join('')}-${fromBlock}-${toBlock}.${ending}"`,
    'X-Export-Window': `${fromBlock}-${toBlock}`,
    'X-Export-Gaps': JSON.stringify(gaps),
    ...(unfinalized ? { 'X-Export-Unsettled': `${unfinalized.from}-${unfinalized.to}` } : {}),
  };
  const reply = new OtherReply(type, body, headers, {
    names: ['X-Export-Rows', 'X-Export-Digest', 'X-Export-Signature'],
    values: () => ({
      'X-Export-Rows': String(proof.certificate?.rows),
      'X-Export-Digest': String(proof.certificate?.digest),
      'X-Export-Signature': String(proof.certificate?.signature),
    }),
  });
  return Object.assign(reply, { body });
}

interface Certified {
  readonly format: ExportFormat;
  readonly rows: Readable;
  readonly proof: { certificate?: Certificate };
  readonly gone: AbortSignal;
}

/** An interrupted export lacks the certificate (row count and digest). */
async function* certified(
  deps: CertifyDeps,
  plan: ExportPlan,
  { format, rows, proof, gone }: Certified,
): AsyncGenerator<Buffer> {
  yield* rows as AsyncIterable<Buffer>;
  proof.certificate = await certifySent(deps, plan, gone);
  if (format === 'ndjson') yield Buffer.from(`${JSON.stringify({ certificate: proof.certificate })}\n`);
}
