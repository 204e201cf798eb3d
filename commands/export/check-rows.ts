import { Transform, type TransformCallback } from 'node:stream';
import { parse } from 'csv-parse/sync';
import type { ExportKind } from '#api/read/export/kinds.ts';
import { RowDigest } from '#client/row-digest.ts';
import { known } from '#runtime/known.ts';

const newline = 10;

/**
 * Counts and hashes exported rows, NDJSON or CSV. Drops the last NDJSON record, which contains the expected count and
 * digest.
 */
export class RowChecker extends Transform {
  readonly digest: RowDigest;
  #rest = Buffer.alloc(0);
  #columns: string[] | undefined;
  #isEnded = false;
  readonly format: 'ndjson' | 'csv';

  constructor(kind: ExportKind, format: 'ndjson' | 'csv') {
    super();
    this.format = format;
    this.digest = new RowDigest(kind);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#take(chunk).then((lines) => done(null, lines), done);
  }

  async #take(chunk: Buffer): Promise<Buffer> {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    const end = bytes.lastIndexOf(newline) + 1;
    this.#rest = Buffer.from(bytes.subarray(end));
    return this.#check(bytes.subarray(0, end));
  }

  override _flush(done: TransformCallback): void {
    done(this.#rest.length > 0 ? new Error('the export ends in the middle of a row') : null);
  }

  async #check(lines: Buffer): Promise<Buffer> {
    if (lines.length === 0) return lines;
    return this.format === 'csv' ? this.#checkCsv(lines) : this.#checkNdjson(lines);
  }

  async #checkCsv(lines: Buffer): Promise<Buffer> {
    const rows = parse(lines) as string[][];
    this.#columns ??= known(rows.shift(), 'the header');
    const columns = this.#columns;
    await this.digest.add(rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]]))));
    return lines;
  }

  async #checkNdjson(lines: Buffer): Promise<Buffer> {
    const rows: Record<string, unknown>[] = [];
    let end = lines.length;
    for (let start = 0; start < lines.length; ) {
      const lineEnd = lines.indexOf(newline, start);
      if (this.#isEnded) throw new Error('the certificate must be the last line, but rows follow it');
      const row = JSON.parse(lines.toString('utf8', start, lineEnd)) as Record<string, unknown>;
      this.#isEnded = 'certificate' in row && !('blockNumber' in row);
      if (this.#isEnded) end = start;
      else rows.push(row);
      start = lineEnd + 1;
    }
    await this.digest.add(rows);
    return lines.subarray(0, end);
  }
}
