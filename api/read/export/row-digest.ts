/** The digest of exported rows, as who receives them computes it. The same sum is taken in SQL by the certificate. */
import { createHash } from 'node:crypto';
import type { ExportKind } from './kinds.ts';

/** Fields of a row's identity, in their order. */
const identityFields: Readonly<Record<ExportKind, readonly string[]>> = {
  transactions: ['blockNumber', 'txIndex', 'txHash', 'status', 'gasUsed', 'fee'],
  transfers: ['blockNumber', 'logIndex', 'batchIndex', 'token', 'from', 'to', 'tokenId', 'value'],
  logs: ['blockNumber', 'logIndex', 'txHash', 'address', 'topic0', 'topic1', 'topic2', 'topic3', 'data'],
  anchors: ['blockNumber', 'blockHash'],
};

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

  /** @param row fields of an exported row by name: as NDJSON has them, or the text of CSV cells (absent: empty) */
  add(row: Readonly<Record<string, unknown>>): void {
    const identity = identityFields[this.kind].map((field) => String(row[field] ?? '')).join(':');
    this.#sum += createHash('sha256').update(identity).digest().readBigUInt64BE();
    this.#rows += 1;
  }

  /** 16 hex digits: the sum, modulo 2^64, of the first 8 bytes of each identity's SHA-256. */
  toString(): string {
    return BigInt.asUintN(64, this.#sum).toString(16).padStart(16, '0');
  }
}
