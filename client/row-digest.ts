/** Digest of exported rows. The export certificate contains the digest that the service computed. */
import { ExportError } from './errors.ts';
import type { paths } from './openapi.gen.ts';

export type ExportKind = paths['/api/v1/export/{kind}']['get']['parameters']['path']['kind'];

/** Row fields covered by the digest, in order. */
const identityFields = {
  transactions: ['blockNumber', 'txIndex', 'txHash', 'status', 'gasUsed', 'fee'],
  transfers: ['blockNumber', 'logIndex', 'batchIndex', 'token', 'from', 'to', 'tokenId', 'value'],
  logs: ['blockNumber', 'logIndex', 'txHash', 'address', 'topic0', 'topic1', 'topic2', 'topic3', 'data'],
  anchors: ['blockNumber', 'blockHash'],
} as const satisfies Record<ExportKind, readonly string[]>;

export type ExportedRow = Readonly<Record<string, string | number | null>>;

// Node's synchronous SHA-256 is about ten times as fast for short texts; browsers have only an asynchronous one.
const nodeCrypto = globalThis.process?.getBuiltinModule?.('node:crypto');

export class RowDigest {
  #sum = 0n;
  #rows = 0;
  readonly kind: ExportKind;

  constructor(kind: ExportKind) {
    this.kind = kind;
  }

  get rows(): number {
    return this.#rows;
  }

  /** @param rows fields by name, from NDJSON or CSV; missing fields count as empty */
  async add(rows: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
    const identities = rows.map((row) => identityFields[this.kind].map((field) => String(row[field] ?? '')).join(':'));
    this.#rows += rows.length;
    if (nodeCrypto) {
      for (const text of identities)
        this.#sum += nodeCrypto.createHash('sha256').update(text).digest().readBigUInt64BE();
      return;
    }
    const encoder = new TextEncoder();
    const hashes = await Promise.all(identities.map((text) => crypto.subtle.digest('SHA-256', encoder.encode(text))));
    for (const hash of hashes) this.#sum += new DataView(hash).getBigUint64(0);
  }

  /** Returns 16 hex digits: the sum, modulo 2^64, of the first 8 bytes of each row's SHA-256. */
  toString(): string {
    return BigInt.asUintN(64, this.#sum).toString(16).padStart(16, '0');
  }

  /** @throws ExportError if row count or digest differ from those of the service */
  assertEquals(rows: number, digest: string): void {
    if (this.#rows !== rows || this.toString() !== digest)
      throw new ExportError(`expected ${rows} rows with digest ${digest}, got ${this.#rows} rows with digest ${this}`);
  }
}
