/**
 * Stores finalized blocks in Parquet files, <table>/<first>-<last>.parquet, listed in manifest.json. Newer ranges are
 * in recent/<first>-<last>.json until enough of them are final.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { type Addition, type ExportedRow, type ExportKind, RowDigest } from '#client/index.ts';
import { lock, unlock } from '#runtime/lock-file.ts';
import { layouts } from './columns.ts';
import { getGeneration, type Holding, type TableSums, type Target, tableOrder, toPosition } from './target.ts';

interface Part {
  readonly from: number;
  readonly to: number;
  readonly hash: string;
  /** Reorg generation of the last block; absent in copies of earlier versions. */
  readonly generation?: number;
  readonly tables: TableSums;
}

/** Rows or blocks after which recent ranges become a Parquet file. */
export interface PartLimits {
  readonly rows: number;
  readonly blocks: number;
}

const partLimits: PartLimits = { rows: 50_000, blocks: 10_000 };

const ownFile = /^\d{12}-\d{12}\.parquet(\.new)?$/;

/** @throws Error if the directory has files of other programs */
async function assertOwn(dir: string): Promise<void> {
  const names: string[] = await readdir(dir).catch(() => []);
  const others = names.filter((name) => !name.startsWith('.') && name !== 'lost+found');
  if (others.length === 0 || names.includes('recent')) return;
  throw new Error(`${dir} has files, but no copy of the chain: use an empty directory`);
}

const toName = ({ from, to }: Pick<Part, 'from' | 'to'>) =>
  [from, to].map((number) => String(number).padStart(12, '0')).join('-');
const countRows = (ranges: readonly Addition[]) =>
  ranges.reduce((sum, { tables }) => sum + tableOrder.reduce((own, kind) => own + tables[kind].rows, 0), 0);

export class ParquetTarget implements Target {
  readonly #parts: Part[];
  readonly #recent: Addition[];
  readonly dir: string;

  readonly limits: PartLimits;

  /** Whether this process holds the directory's lock. */
  readonly isLocked: boolean;

  private constructor(dir: string, limits: PartLimits, parts: Part[], isLocked: boolean) {
    this.isLocked = isLocked;
    this.dir = dir;
    this.limits = limits;
    this.#parts = parts;
    this.#recent = [];
  }

  /**
   * @param repairs whether to delete incomplete data of a killed process; false while another process follows the chain
   * @throws Error if the directory has other files but no copy, or, with `repairs`, if another process writes into it
   */
  static async open(dir: string, limits: PartLimits = partLimits, repairs = true): Promise<ParquetTarget> {
    await assertOwn(dir);
    for (const folder of ['recent', ...tableOrder]) await mkdir(join(dir, folder), { recursive: true });
    if (repairs) await lock(dir);
    const parts = JSON.parse(await readIfPresent(join(dir, 'manifest.json'), '{"parts":[]}')).parts as Part[];
    const target = new ParquetTarget(dir, limits, parts, repairs);
    const end = parts.at(-1)?.to ?? -1;
    for (const file of (await readdir(join(dir, 'recent'))).filter((name) => name.endsWith('.json')).sort()) {
      const range = JSON.parse(await readFile(join(dir, 'recent', file), 'utf8')) as Addition;
      const next = (target.#recent.at(-1)?.toBlock ?? end) + 1;
      // a killed process can leave a file that does not continue the copy
      const isLeft = range.toBlock <= end || (range.fromBlock !== next && next > 0);
      if (!isLeft) target.#recent.push(range);
      else if (repairs) await rm(join(dir, 'recent', file));
    }
    if (repairs) await target.#removeUnlisted();
    return target;
  }

  async position(): Promise<string | undefined> {
    const recent = this.#recent.at(-1);
    if (recent) return recent.position;
    const part = this.#parts.at(-1);
    return part && toPosition(part.to, part.hash, part.generation ?? 0);
  }

  async add(range: Addition): Promise<void> {
    const isLarge = this.#recent.length === 0 && range.toBlock <= range.finalized && isEnough([range], this.limits);
    if (isLarge) return this.#storePart([range]);
    await this.#write(this.#recentPath(range), JSON.stringify(range));
    this.#recent.push(range);
    const final = this.#recent.filter(({ toBlock }) => toBlock <= range.finalized);
    if (isEnough(final, this.limits)) await this.#storePart(final);
  }

  async remove(fromBlock: number): Promise<string | undefined> {
    while ((this.#recent.at(-1)?.toBlock ?? -1) >= fromBlock) {
      const range = this.#recent.pop();
      if (range) await rm(this.#recentPath(range), { force: true });
    }
    const removed = this.#parts.filter(({ to }) => to >= fromBlock);
    this.#parts.length -= removed.length;
    if (removed.length > 0) await this.#writeManifest(this.#parts);
    for (const part of removed) for (const kind of tableOrder) await rm(this.#partPath(kind, part), { force: true });
    return this.position();
  }

  async sum(toBlock: number): Promise<Holding> {
    const digests = Object.fromEntries(tableOrder.map((kind) => [kind, new RowDigest(kind)])) as Digests;
    const within = (rows: readonly ExportedRow[]) => rows.filter((row) => Number(row['blockNumber']) <= toBlock);
    for (const part of this.#parts)
      for (const kind of tableOrder) await digests[kind].add(within(await readRows(this.#partPath(kind, part))));
    for (const { rows } of this.#recent) for (const kind of tableOrder) await digests[kind].add(within(rows[kind]));
    const from = this.#parts[0]?.from ?? this.#recent[0]?.fromBlock;
    const to = Math.min(this.#recent.at(-1)?.toBlock ?? this.#parts.at(-1)?.to ?? -1, toBlock);
    const tables = Object.fromEntries(
      tableOrder.map((kind) => [kind, { rows: digests[kind].rows, digest: digests[kind].toString() }]),
    ) as unknown as TableSums;
    return { blocks: from === undefined || to < from ? undefined : { from, to }, tables };
  }

  async close(): Promise<void> {
    if (this.isLocked) await unlock(this.dir);
  }

  async #storePart(ranges: readonly Addition[]): Promise<void> {
    const [first, last] = [ranges[0], ranges.at(-1)];
    if (!first || !last) return;
    const tables: Partial<Record<ExportKind, TableSums[ExportKind]>> = {};
    const name = { from: first.fromBlock, to: last.toBlock };
    for (const kind of tableOrder) {
      const rows = ranges.flatMap((range) => range.rows[kind]);
      const digest = new RowDigest(kind);
      await digest.add(rows);
      tables[kind] = { rows: digest.rows, digest: digest.toString() };
      await this.#write(this.#partPath(kind, name), toParquet(kind, rows));
    }
    const part: Part = {
      ...name,
      hash: last.hash,
      generation: getGeneration(last.position),
      tables: tables as TableSums,
    };
    await this.#writeManifest([...this.#parts, part]);
    this.#parts.push(part);
    for (const range of ranges) {
      const at = this.#recent.indexOf(range);
      if (at >= 0) this.#recent.splice(at, 1);
      await rm(this.#recentPath(range), { force: true });
    }
  }

  /** Removes Parquet files that the manifest does not list, left by a kill. */
  async #removeUnlisted(): Promise<void> {
    const listed = new Set(this.#parts.map((part) => `${toName(part)}.parquet`));
    for (const kind of tableOrder)
      for (const file of await readdir(join(this.dir, kind)))
        if (ownFile.test(file) && !listed.has(file)) await rm(join(this.dir, kind, file));
  }

  #recentPath({ fromBlock: from, toBlock: to }: Addition): string {
    return join(this.dir, 'recent', `${toName({ from, to })}.json`);
  }

  #partPath(kind: ExportKind, part: Pick<Part, 'from' | 'to'>): string {
    return join(this.dir, kind, `${toName(part)}.parquet`);
  }

  #writeManifest(parts: readonly Part[]): Promise<void> {
    return this.#write(join(this.dir, 'manifest.json'), `${JSON.stringify({ parts }, null, 1)}\n`);
  }

  async #write(path: string, content: string | Uint8Array): Promise<void> {
    await writeFile(`${path}.new`, content, { flush: true });
    await rename(`${path}.new`, path);
  }
}

type Digests = Record<ExportKind, RowDigest>;

const isEnough = (ranges: readonly Addition[], { rows, blocks }: PartLimits) =>
  countRows(ranges) >= rows ||
  ranges.reduce((sum, { fromBlock, toBlock }) => sum + toBlock - fromBlock + 1, 0) >= blocks;

function toParquet(kind: ExportKind, rows: readonly ExportedRow[]): Uint8Array {
  const columnData = layouts[kind].columns.map(({ name, type, isNullable }) => ({
    name,
    data: rows.map((row) => (type === 'integer' && row[name] !== null ? BigInt(row[name] ?? 0) : row[name])),
    type: type === 'integer' ? ('INT64' as const) : ('STRING' as const),
    nullable: isNullable,
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

async function readRows(path: string): Promise<ExportedRow[]> {
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(path) });
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
    ),
  );
}

async function readIfPresent(path: string, absent: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return absent;
    throw error;
  }
}
