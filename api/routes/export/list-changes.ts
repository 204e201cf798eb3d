import { z } from 'zod';
import { splitIntoChunks } from '#runtime/lists.ts';
import { pause } from '#runtime/shutdown.ts';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { type Change, type ChangeDeps, type Position, readNextChanges } from '../../read/changes/read-changes.ts';
import { type ExportKind, exportFormats, exportKinds } from '../../read/export/kinds.ts';
import { atReaderPace, type ExportSlots } from '../../read/export/places.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Count, HexHash } from '../../terms/primitives.ts';
import { type ChangeRecord, writeChangesParquet } from './changes-parquet.ts';
import { ExportRow } from './export-line.ts';

const { ndjson, parquet } = exportFormats;
const pollMs = 100;
const linesAtOnce = 1_000;

/** Number and hash of a block, and the reorg generation of the read: later repairs are sent. */
const Since = z
  .string()
  .regex(
    /^\d{1,15}-0x[0-9a-fA-F]{64}(-\d{1,12})?$/,
    'must be the position of the last line that you applied, or <blockNumber>-<blockHash>',
  )
  .transform((text): Position => {
    const [number = '', hash = '', generation] = text.toLowerCase().split('-');
    return { number: Number(number), hash, generation: generation === undefined ? undefined : Number(generation) };
  })
  .meta({
    description:
      'Position of the last line that you applied; or <number>-<hash> of the block, which ignores repairs since. Without it, the reply starts with the first block',
  });

const Tables = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(exportKinds, `must be a list of ${exportKinds.join(', ')}`)))
  .transform((kinds) => new Set(kinds))
  .meta({ description: 'Tables to return, separated by commas (default: all)', example: 'transactions,logs' });

const Digest = z.strictObject({ rows: Count, digest: z.string().regex(/^[0-9a-f]{16}$/) });
const PositionText = z.string().meta({
  description: 'Position after this line: send it as the parameter `since` to continue',
  example: `7-0x${'0'.repeat(64)}-1`,
});

const ChangeLine = z
  .union([
    z
      .strictObject({ type: z.literal('removed'), fromBlock: Count, toBlock: Count, position: PositionText.nullable() })
      .meta({ description: 'Instruction to remove all rows of these blocks' }),
    ...exportKinds.map((kind) =>
      z.strictObject({ type: z.literal('row'), table: z.literal(kind), row: ExportRow[kind] }),
    ),
    z
      .strictObject({
        type: z.literal('commit'),
        fromBlock: Count,
        toBlock: Count,
        hash: HexHash,
        finalized: Count.meta({ description: 'Last finalized block; later blocks may still be removed' }),
        tables: z.strictObject(
          Object.fromEntries(exportKinds.map((kind) => [kind, Digest])) as Record<ExportKind, typeof Digest>,
        ),
        position: PositionText,
      })
      .meta({ description: 'End of the rows of these blocks, with row count and digest of each table' }),
  ])
  .meta({ id: 'ChangeLine' });

/** @source docs/mirrors.md */
export const listChanges = defineRoute({
  id: 'listChanges',
  base: '/api/v1',
  path: '/changes',
  methods: ['get'],
  tag: 'export',
  summary: 'Rows that the chain added and removed since a block',
  description:
    'Returns rows of a block range, then a line of type commit with their digests. After a reorg or a repair, a line of type removed comes first. Apply all lines up to a commit together, and store its position. A Parquet file has one row per line: the column change has its type. It has the columns of all requested tables; those of other tables are null.',
  params: z.object({}),
  query: z.object({
    since: Since.optional(),
    tables: Tables.optional(),
    format: z
      .enum(['ndjson', 'parquet'], 'must be ndjson or parquet')
      .default('ndjson')
      .meta({ description: 'Format of the reply' }),
    blocks: z
      .string()
      .regex(/^\d{1,6}$/, 'must be a number of blocks')
      .transform(Number)
      .refine((blocks) => blocks >= 1 && blocks <= 100_000, 'must be 1 to 100000')
      .default(10_000)
      .meta({
        description: 'Number of blocks after which the reply ends',
        type: 'integer',
        minimum: 1,
        maximum: 100_000,
      }),
    wait: z
      .string()
      .regex(/^\d{1,2}$/, 'must be 0 to 30 seconds')
      .transform(Number)
      .refine((seconds) => seconds <= 30, 'must be 0 to 30 seconds')
      .default(0)
      .meta({
        description: 'Seconds to wait for a new block if there is none',
        type: 'integer',
        minimum: 0,
        maximum: 30,
      }),
  }),
  response: z.string(),
  mediaTypes: [ndjson.type, parquet.type],
  item: { [ndjson.type]: ChangeLine },
  errors: ['bad_query', 'indexing', 'snapshot_invalidated', 'store_unavailable'],
  cost: 2,
  maxAgeSeconds: 0,
  example: '/changes?blocks=2&tables=anchors',
  handle: async (deps: RouteDeps, { query: { since, tables, format, blocks, wait }, caller, address, gone }) => {
    const kinds = tables ?? new Set(exportKinds);
    const isText = format === 'ndjson';
    const takeSlot = () => (isText ? deps.changeSlots : deps.exportSlots).take({ caller, address });
    const { first, release } = await firstChanges(deps, since, { wait, blocks, gone, takeSlot });
    const rows = isText ? Number.POSITIVE_INFINITY : maxParquetRows;
    const records = listRecords(deps, first, { kinds, blocks, rows, gone });
    const body = atReaderPace(isText ? writeLines(records) : writeChangesParquet(records, kinds));
    return new OtherReply((isText ? ndjson : parquet).type, body.once('close', release));
  },
});

type RouteDeps = ChangeDeps & { readonly exportSlots: ExportSlots; readonly changeSlots: ExportSlots };

/** A Parquet file ends after the commit with this row, because its metadata stay in memory until the end. */
const maxParquetRows = 100_000;

interface FirstAsked extends Pick<Asked, 'blocks' | 'gone'> {
  /** Seconds. */
  readonly wait: number;
  readonly takeSlot: () => () => void;
}

/**
 * Reads the first changes before the reply begins, so that errors get an HTTP status.
 * @returns the changes, and a function that releases their slot. A waiting request holds no slot.
 */
async function firstChanges(
  deps: ChangeDeps,
  since: Position | undefined,
  { wait, blocks, gone, takeSlot }: FirstAsked,
): Promise<{ readonly first: readonly Change[]; readonly release: () => void }> {
  const until = performance.now() + 1_000 * wait;
  for (;;) {
    const release = takeSlot();
    const version = deps.snapshots.lastVersion; // before the read, which may miss a newer version
    const first = await readNextChanges(deps, since, blocks).catch((error: unknown) => {
      release();
      throw error;
    });
    const mayWait = () => performance.now() < until && !gone.aborted;
    if (first.length > 0 || !mayWait()) return { first, release };
    release();
    do await pause(pollMs, gone);
    while (mayWait() && version !== undefined && (await deps.snapshots.isStill(version)));
  }
}

interface Asked {
  readonly kinds: ReadonlySet<ExportKind>;
  readonly blocks: number;
  readonly rows: number;
  readonly gone: AbortSignal;
}

/** Yields records up to a missing block, which the next request reports. */
async function* listRecords(
  deps: ChangeDeps,
  first: readonly Change[],
  asked: Asked,
): AsyncGenerator<readonly ChangeRecord[]> {
  let left = asked.blocks;
  let rowsLeft = asked.rows;
  let changes = first;
  for (let last = changes.at(-1); last && !asked.gone.aborted; last = changes.at(-1)) {
    const records = changes.flatMap((change) => toRecords(change, asked.kinds));
    yield records;
    rowsLeft -= records.length;
    for (const change of changes) if (change.type === 'added') left -= change.position.number - change.fromBlock + 1;
    if (left <= 0 || rowsLeft <= 0) return;
    changes = await readNextChanges(deps, last.position, left).catch(endAtProblem);
  }
}

function endAtProblem(error: unknown): readonly Change[] {
  if (error instanceof ApiProblem && /^(indexing|snapshot_invalidated)$/.test(error.code)) return [];
  throw error;
}

const toText = ({ number, hash, generation }: Position) =>
  `${number}-${hash}${generation === undefined ? '' : `-${generation}`}`;

function toRecords(change: Change, kinds: ReadonlySet<ExportKind>): ChangeRecord[] {
  if (change.type === 'removed') {
    const { type, fromBlock, toBlock, position } = change;
    return [{ type, fromBlock, toBlock, position: position ? toText(position) : null }];
  }
  const { fromBlock, position, finalized, tables, rows } = change;
  const added = exportKinds
    .filter((kind) => kinds.has(kind))
    .flatMap((table) => rows[table].map((row) => ({ type: 'row', table, row }) as const));
  const { number: toBlock, hash } = position;
  return [...added, { type: 'commit', fromBlock, toBlock, hash, finalized, tables, position: toText(position) }];
}

async function* writeLines(parts: AsyncIterable<readonly ChangeRecord[]>): AsyncGenerator<string> {
  for await (const records of parts)
    for (const some of splitIntoChunks(records, linesAtOnce))
      yield some.map((record) => `${toLine(record)}\n`).join('');
}

/** `row` is JSON already. */
function toLine(record: ChangeRecord): string {
  if (record.type !== 'row') return JSON.stringify(record);
  return `{"type":"row","table":"${record.table}","row":${record.row}}`;
}
