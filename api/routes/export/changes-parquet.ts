/** Writes chain changes as one Parquet file. Each row is a line of the NDJSON format. */
import { setImmediate } from 'node:timers/promises';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { z } from 'zod';
import type { TableSums } from '../../read/checkpoints/sum-tables.ts';
import { type ExportKind, exportKinds } from '../../read/export/kinds.ts';
import { ExportRow } from './export-line.ts';

/** Line of `/changes`. `row` is JSON. */
export type ChangeRecord =
  | { readonly type: 'row'; readonly table: ExportKind; readonly row: string }
  | {
      readonly type: 'removed';
      readonly fromBlock: number;
      readonly toBlock: number;
      readonly position: string | null;
    }
  | {
      readonly type: 'commit';
      readonly fromBlock: number;
      readonly toBlock: number;
      readonly hash: string;
      readonly finalized: number;
      readonly tables: TableSums;
      readonly position: string;
    };

/** Rows encoded at once. The event loop can do other work between groups. */
const groupRows = 1_000;

const integer = { type: 'INT64', converted_type: 'UINT_64' } as const;
const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;

type Columns = ReadonlyMap<string, typeof integer | typeof text>;

/**
 * `change` has the line's type, because transactions have a column `type`. Omits columns that only exports of one
 * address have.
 */
function listColumns(kinds: ReadonlySet<ExportKind>): Columns {
  const ofTables = exportKinds
    .filter((kind) => kinds.has(kind))
    .flatMap((kind) => Object.entries(ExportRow[kind].shape))
    .filter(([, schema]) => !(schema instanceof z.ZodOptional))
    .map(([name, schema]) => [name, schema.safeParse(0).success ? integer : text] as const);
  return new Map([
    ['change', text],
    ['table', text],
    ...ofTables,
    ['fromBlock', integer],
    ['toBlock', integer],
    ['hash', text],
    ['finalized', integer],
    ['tables', text],
    ['position', text],
  ]);
}

/** Yields the file: row groups, then the footer. @source https://parquet.apache.org/docs/file-format */
export async function* writeChangesParquet(
  parts: AsyncIterable<readonly ChangeRecord[]>,
  kinds: ReadonlySet<ExportKind>,
): AsyncGenerator<Buffer> {
  const columns = listColumns(kinds);
  const schema = [
    { name: 'root', num_children: columns.size },
    ...[...columns].map(([name, type]) => ({ name, ...type, repetition_type: 'OPTIONAL' as const })),
  ];
  const bytes = new ByteWriter();
  const file = new ParquetWriter({ writer: bytes, schema, statistics: false, createdBy: 'cordscan' });
  for await (const records of parts)
    for (let start = 0; start < records.length; start += groupRows) {
      await file.write({
        columnData: toColumns(columns, records.slice(start, start + groupRows)),
        rowGroupSize: groupRows,
      });
      yield takeBytes(bytes);
      await setImmediate();
    }
  await file.finish();
  yield takeBytes(bytes);
}

function takeBytes(bytes: ByteWriter): Buffer {
  const taken = Buffer.from(bytes.getBuffer());
  bytes.index = 0;
  return taken;
}

function toColumns(columns: Columns, records: readonly ChangeRecord[]) {
  const rows = records.map(toRow);
  return [...columns].map(([name, { type }]) => ({
    name,
    data: rows.map(({ [name]: value }) => {
      if (value === undefined || value === null) return null;
      return type === 'INT64' ? BigInt(value) : value;
    }),
  }));
}

/** JSON.parse would round larger integers, such as the gas limit of some local chains. */
const quoteLarge = (json: string) => json.replace(/:(\d{16,})(?=[,}])/g, ':"$1"');

function toRow(record: ChangeRecord): Readonly<Record<string, string | number | null>> {
  if (record.type === 'row') return { change: 'row', table: record.table, ...JSON.parse(quoteLarge(record.row)) };
  const { type: change, ...line } = record;
  return 'tables' in line ? { change, ...line, tables: JSON.stringify(line.tables) } : { change, ...line };
}
