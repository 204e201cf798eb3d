/** Computes the digest of exported rows, for clients. The certificate computes the same sum in SQL. */
import { createHash } from 'node:crypto';
import type { ExportKind } from './kinds.ts';

/** Fields of a row that enter the digest, in order. */
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

  /** @param row fields by name, from NDJSON, or texts of CSV cells; missing fields count as empty */
  add(row: Readonly<Record<string, unknown>>): void {
    const identity = identityFields[this.kind].map((field) => String(row[field] ?? '')).join(':');
    this.#sum += createHash('sha256').update(identity).digest().readBigUInt64BE();
    this.#rows += 1;
  }

  /** Returns 16 hex digits: the sum, modulo 2^64, of the first 8 bytes of each row's SHA-256. */
  toString(): string {
    return BigInt.asUintN(64, this.#sum).toString(16).padStart(16, '0');
  }
}
