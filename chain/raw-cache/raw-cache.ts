/**
 * Caches finalized blocks and receipts in files, to index the chain again without a node. A file has consecutive blocks
 * as JSON lines `[block, receipts]`, compressed with Brotli. Its name has the first block, the last block and a digest,
 * which detects damage.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { findGaps, type Interval, mergeIntervals, overlaps } from '../intervals.ts';
import type { RawBlock } from '../rpc/wire-types.ts';

interface RawFile extends Interval {
  readonly digest: string;
}

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
/** Brotli level 1 compresses 250 MB/s and shrinks blocks to a seventh. */
const compression = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const blocksPerFolder = 100_000;
const decodedFiles = 8;
const fileName = /^(\d+)-(\d+)-([0-9a-f]{16})\.ndjson\.br$/;

export class RawCache {
  readonly directory: string;
  readonly isReadOnly: boolean;
  /** Sorted by first block. */
  #files: RawFile[];
  /** Blocks in the longest file. */
  #longest: number;
  readonly #decoded = new LRUCache<string, Promise<string[]>>({ max: decodedFiles });

  private constructor(directory: string, files: RawFile[], isReadOnly: boolean) {
    this.directory = directory;
    this.isReadOnly = isReadOnly;
    this.#files = files.sort((a, b) => a.fromBlock - b.fromBlock);
    this.#longest = files.reduce((most, { fromBlock, toBlock }) => Math.max(most, toBlock - fromBlock + 1), 0);
  }

  /** Opens or creates the cache of one chain, in `directory/{chain id}-{genesis hash}`. */
  static async open(
    directory: string,
    chain: { readonly id: number; readonly genesis: string },
    isReadOnly = false,
  ): Promise<RawCache> {
    const folder = join(directory, `${chain.id}-${chain.genesis}`);
    await mkdir(folder, { recursive: true });
    const files: RawFile[] = [];
    for (const name of await readdir(folder)) {
      const names = await readdir(join(folder, name));
      for (const file of names) {
        const [, from, to, digest] = fileName.exec(file) ?? [];
        if (digest) files.push({ fromBlock: Number(from), toBlock: Number(to), digest });
        else if (file.endsWith('.part') && !isReadOnly) await rm(join(folder, name, file), { force: true });
      }
    }
    return new RawCache(folder, files, isReadOnly);
  }

  /** Returns the genesis hashes of all cached chains with this id. */
  static async chains(directory: string, chainId: number): Promise<string[]> {
    const names = await readdir(directory).catch(() => []);
    return names.filter((name) => name.startsWith(`${chainId}-0x`)).map((name) => name.slice(`${chainId}-`.length));
  }

  get intervals(): Interval[] {
    return mergeIntervals(this.#files);
  }

  missing(whole: Interval): Interval[] {
    return findGaps(whole, this.#files);
  }

  /** Returns the last block of the file with this block; undefined if the block is missing. */
  endOfFile(block: number): number | undefined {
    return this.#fileWith(block)?.toBlock;
  }

  /** Returns undefined if a block is missing or its file is damaged. */
  async read({ fromBlock, toBlock }: Interval): Promise<RawBlock[] | undefined> {
    const blocks: RawBlock[] = [];
    for (let next = fromBlock; next <= toBlock; ) {
      const file = this.#fileWith(next);
      const lines = file && (await this.#lines(file));
      if (!lines) return undefined;
      const end = Math.min(file.toBlock, toBlock);
      for (const line of lines.slice(next - file.fromBlock, end - file.fromBlock + 1)) blocks.push(JSON.parse(line));
      next = end + 1;
    }
    return blocks;
  }

  /**
   * Stores consecutive blocks. After a crash, their file is complete or missing.
   * @param lines one JSON text `[block, receipts]` per block
   * @throws the error of the file system
   */
  async write(fromBlock: number, lines: readonly string[]): Promise<void> {
    if (this.isReadOnly) return;
    const bytes = await compress(lines.join('\n'), compression);
    const file = { fromBlock, toBlock: fromBlock + lines.length - 1, digest: computeDigest(bytes) };
    const path = this.#path(file);
    const part = `${path}.${randomBytes(4).toString('hex')}.part`;
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(part, bytes, { flush: true });
    await rename(part, path);
    this.#files.splice(this.#placeAfter(fromBlock), 0, file);
    this.#longest = Math.max(this.#longest, lines.length);
  }

  async remove(range: Interval): Promise<void> {
    if (this.isReadOnly) return;
    const isIn = (file: RawFile) => overlaps(file, range);
    const removed = this.#files.filter(isIn);
    this.#files = this.#files.filter((file) => !isIn(file));
    await Promise.all(removed.map((file) => rm(this.#path(file), { force: true })));
  }

  async #lines(file: RawFile): Promise<string[] | undefined> {
    const path = this.#path(file);
    const decoding = this.#decoded.get(path) ?? decode(path, file);
    this.#decoded.set(path, decoding);
    try {
      return await decoding;
    } catch (error) {
      this.#decoded.delete(path);
      if (error instanceof DamagedFileError) await this.remove(file);
      return undefined;
    }
  }

  /** Searches all earlier files too, because files may overlap. */
  #fileWith(block: number): RawFile | undefined {
    for (let place = this.#placeAfter(block) - 1; place >= 0; place--) {
      const file = this.#files[place];
      if (!file || file.fromBlock + this.#longest <= block) return undefined;
      if (file.toBlock >= block) return file;
    }
    return undefined;
  }

  /** Returns the index of the first file that starts above `block`. */
  #placeAfter(block: number): number {
    let [low, high] = [0, this.#files.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#files[middle]?.fromBlock ?? 0) <= block) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #path({ fromBlock, toBlock, digest }: RawFile): string {
    const folder = String(fromBlock - (fromBlock % blocksPerFolder));
    return join(this.directory, folder, `${fromBlock}-${toBlock}-${digest}.ndjson.br`);
  }
}

class DamagedFileError extends Error {}

/** @throws DamagedFileError; the error of the file system */
async function decode(path: string, { fromBlock, toBlock, digest }: RawFile): Promise<string[]> {
  const bytes = await readFile(path);
  if (computeDigest(bytes) !== digest) throw new DamagedFileError(path);
  const lines = (await decompress(bytes)).toString().split('\n');
  if (lines.length !== toBlock - fromBlock + 1) throw new DamagedFileError(path);
  return lines;
}

const computeDigest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);
