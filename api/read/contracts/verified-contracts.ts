import { hexDigits } from '#chain/codec/hex.ts';
import { keccak256Hex } from '#chain/verify/keccak.ts';
import { splitIntoChunks } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { describeForeignPart } from '#verification/foreign-parts.ts';
import type { Match, VerifiedSource } from '#verification/types.ts';
import { anywhere, Cache } from '../../cache/cache.ts';
import { KeyedReads } from '../../cache/keyed-reads.ts';
import { hashMasked, type Ranges } from './code.ts';

export type InputKind = 'standard-json' | 'single-file' | 'metadata' | 'sourcify';

export interface VerifiedContract {
  readonly address: string;
  /** Unix milliseconds. */
  readonly verifiedMs: number;
  readonly codeHash: string;
  readonly runtimeMatch: Match;
  readonly creationMatch: Match;
  readonly name: string;
  readonly path: string;
  readonly language: string;
  readonly compilerVersion: string;
  readonly inputKind: InputKind;
  readonly license: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly sources: Readonly<Record<string, string>>;
  readonly abi: readonly unknown[];
  readonly userdoc: unknown;
  readonly devdoc: unknown;
  readonly storageLayout: unknown;
  readonly metadata: unknown;
  readonly transformations: Pick<VerifiedSource, 'runtimeTransformations' | 'creationTransformations'>;
  readonly libraries: Readonly<Record<string, string>>;
  /** Hex without 0x. */
  readonly constructorArguments: string;
  /** 0x hex. */
  readonly compiledRuntimeCode: string;
  readonly compiledCreationCode: string;
}

export interface ContractInterface {
  readonly name: string;
  readonly abi: readonly unknown[];
  /** Hash of the verified code. */
  readonly codeHash: string;
}

export interface VerifiedRow {
  readonly address: string;
  readonly verifiedMs: number;
  readonly name: string;
  readonly language: string;
  readonly compilerVersion: string;
  readonly runtimeMatch: Match;
  readonly creationMatch: Match;
  readonly license: string;
}

/** List position before the newest verification. */
const newest: Pick<VerifiedRow, 'verifiedMs' | 'address'> = { verifiedMs: Number.MAX_SAFE_INTEGER, address: '0x' };

const maxPerStatement = 1_000;

/** Maximum number of compared contracts with equal code size. */
const maxCandidates = 500;

interface SimilarSource {
  readonly address: string;
  readonly name: string;
}

export class VerifiedContracts {
  readonly #interfaces: KeyedReads<ContractInterface>;
  readonly #similar = new Cache<{ readonly found: SimilarSource | undefined }>('similar_sources');
  /** Number of stored contracts of this process; part of cache keys. */
  #stored = 0;
  readonly database: Database;
  /** Called with a requested contract whose current code is unverified. */
  onMissing: (address: string) => void = () => {};

  constructor(database: Database) {
    this.database = database;

    this.#interfaces = new KeyedReads('verified_interfaces', (addresses) => this.#readInterfaces(addresses));
  }

  async find(address: string): Promise<VerifiedContract | undefined> {
    const [row] = await this.database.read('verified_contract', { address: hexDigits(address) });
    return row && parseRow(row);
  }

  /** @param addresses at most 1,000 */
  async names(addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (addresses.length === 0) return new Map();
    const rows = await this.database.read('verified_names', { addresses: addresses.map(hexDigits) });
    return new Map(rows.map(({ address_hex, name }) => [address_hex, name]));
  }

  async interfaces(addresses: readonly string[]): Promise<ReadonlyMap<string, ContractInterface>> {
    return this.#interfaces.of(addresses, anywhere, `${this.#stored} `);
  }

  /**
   * Finds a verified contract whose code differs only in immutables, a library's own address, and the metadata hash.
   * @param code 0x hex
   */
  async findSimilar(address: string, code: string): Promise<SimilarSource | undefined> {
    const own = code.startsWith('0x73') ? address : ''; // only a library begins with its address
    const key = `${this.#stored} ${own} ${keccak256Hex(code)}`;
    return (await this.#similar.of(key, anywhere, async () => ({ found: await this.#findSimilar(address, code) })))
      .found;
  }

  async #readInterfaces(addresses: readonly string[]): Promise<Map<string, ContractInterface>> {
    const found = new Map<string, ContractInterface>();
    for (const some of splitIntoChunks(addresses.map(hexDigits), maxPerStatement)) {
      const rows = await this.database.read('verified_interfaces', { addresses: some });
      for (const { address_hex, code_hash_hex, name, abi } of rows)
        found.set(`0x${address_hex}`, { name, abi: JSON.parse(abi) as unknown[], codeHash: `0x${code_hash_hex}` });
    }
    return found;
  }

  async #findSimilar(address: string, code: string): Promise<SimilarSource | undefined> {
    const size = (code.length - 2) / 2;
    const rows = await this.database.read('verified_of_size', { code_size: size, limit: maxCandidates });
    const hashes = new Map<string, string>();
    const similar = rows.find((row) => {
      const key = row.open_ranges.join();
      const hash = hashes.get(key) ?? hashMasked(code, toRanges(row.open_ranges.map(Number)));
      hashes.set(key, hash);
      if (hash !== `0x${row.masked_hash_hex}`) return false;
      return describeForeignPart(JSON.parse(row.runtime_parts), code, address) === undefined;
    });
    return similar && { address: `0x${similar.address_hex}`, name: similar.name };
  }

  /** Returns the newest first. @param before last row of the previous page */
  async list(limit: number, skip: number, before = newest): Promise<VerifiedRow[]> {
    const rows = await this.database.read('verified_list', {
      limit,
      skip,
      before_version: before.verifiedMs,
      before_address: hexDigits(before.address),
    });
    return rows.map((row) => ({
      address: `0x${row.address_hex}`,
      verifiedMs: Number(row.version),
      name: row.name,
      language: row.language,
      compilerVersion: row.compiler_version,
      runtimeMatch: toMatch(row.runtime_match),
      creationMatch: toMatch(row.creation_match),
      license: row.license,
    }));
  }

  /** @param code 0x hex */
  async store(
    address: string,
    code: string,
    source: VerifiedSource,
    input: { readonly kind: InputKind; readonly license: string },
  ): Promise<void> {
    const w = new RowWriter(1 << 16);
    w.fixed(address, 20);
    w.uint64(Date.now());
    w.fixed(keccak256Hex(code), 32);
    w.uint32((code.length - 2) / 2);
    w.fixed(hashMasked(code, source.openRanges), 32);
    w.uint64Array(source.openRanges.flat());
    const { settings, sources, abi, userdoc, devdoc, storageLayout, metadata, libraries } = source;
    const { runtimeTransformations, creationTransformations } = source;
    const texts = [source.runtimeMatch ?? '', source.creationMatch ?? '', source.name, source.path, source.language];
    for (const text of [...texts, source.compilerVersion, input.kind, input.license]) w.text(text);
    const documentation = { userdoc, devdoc };
    const transformations = { runtimeTransformations, creationTransformations };
    for (const value of [settings, sources, abi, documentation, storageLayout, metadata, transformations, libraries])
      w.text(JSON.stringify(value));
    w.text(source.constructorArguments);
    w.text(source.compiledRuntimeCode.slice(2));
    w.text(source.compiledCreationCode.slice(2));
    await this.database.insertRowBinary('verified_contracts', w.view());
    this.#stored++;
  }
}

function toRanges(flat: readonly number[]): Ranges {
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i] ?? 0, flat[2 * i + 1] ?? 0] as const);
}

const toMatch = (text: string): Match => (text === 'perfect' || text === 'partial' ? text : null);

function parseRow(row: RowOf<'verified_contract'>): VerifiedContract {
  const documentation = JSON.parse(row.documentation) as { userdoc: unknown; devdoc: unknown };
  return {
    address: `0x${row.address_hex}`,
    verifiedMs: Number(row.version),
    codeHash: `0x${row.code_hash_hex}`,
    runtimeMatch: toMatch(row.runtime_match),
    creationMatch: toMatch(row.creation_match),
    name: row.name,
    path: row.path,
    language: row.language,
    compilerVersion: row.compiler_version,
    inputKind: row.input_kind as InputKind,
    license: row.license,
    settings: JSON.parse(row.settings),
    sources: JSON.parse(row.sources),
    abi: JSON.parse(row.abi),
    ...documentation,
    storageLayout: JSON.parse(row.storage_layout),
    metadata: JSON.parse(row.metadata),
    transformations: JSON.parse(row.transformations),
    libraries: JSON.parse(row.libraries),
    constructorArguments: row.constructor_arguments,
    compiledRuntimeCode: `0x${row.compiled_runtime}`,
    compiledCreationCode: `0x${row.compiled_creation}`,
  };
}
