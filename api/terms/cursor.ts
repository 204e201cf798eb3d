/**
 * A cursor contains the position of the last row, a fingerprint of the query, and the newest block of the first page.
 * Later pages ignore newer blocks.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { zeroHash } from '#chain/codec/hex.ts';
import type { ServiceKey } from '#runtime/service-key.ts';
import { ApiProblem } from './errors.ts';

/** `part` (0, 1, …) counts the tokens that one event transfers. */
export interface Position {
  readonly block: number;
  readonly index: number;
  readonly part?: number;
}

export type CursorKey = readonly (string | number)[];

/** Pin.hash of a list that ends at a finalized block: no reorg can replace it. */
export const finalizedHash = zeroHash;

export interface Pin {
  readonly head: number;
  readonly hash: string;
  /** Reorg count when the block `hash` was last found on the chain. */
  readonly reorgGeneration: number;
  /** Blocks that earlier pages skipped because they were not indexed. */
  readonly gaps?: readonly BlockRange[] | undefined;
  /** Earlier pages read blocks without indexed internal transfers. */
  readonly lacksTraces?: boolean | undefined;
}

/** Both ends inclusive. */
export interface BlockRange {
  readonly from: number;
  readonly to: number;
}

interface DecodedCursor {
  readonly key: CursorKey;
  /** Unset if the list does not depend on blocks. */
  readonly pin?: Pin;
}

/** Query without page size, and the key that signs cursors. */
export class CursorScope {
  readonly key: Buffer;
  readonly filter: unknown;
  constructor(key: Buffer, filter: unknown) {
    this.key = key;
    this.filter = filter;
  }
}

export type Cursors = (filter: unknown) => CursorScope;

export function createCursors(serviceKey: ServiceKey): Cursors {
  const key = serviceKey.derive('cursors');
  return (filter) => new CursorScope(key, filter);
}

export const cursorVersion = 3;
const headBytes = 9;
const pinBytes = 44;
const checksumBytes = 16;

export function encodeCursor(scope: CursorScope, key: CursorKey, pin?: Pin): string {
  const body = Buffer.alloc(headBytes + 1 + (pin ? pinBytes : 0));
  body.writeUInt8(cursorVersion, 0);
  fingerprint(scope).copy(body, 1);
  body.writeUInt8(pin ? 1 : 0, headBytes);
  if (pin) {
    body.writeBigUInt64LE(BigInt(pin.head), headBytes + 1);
    body.writeUInt32LE(pin.reorgGeneration, headBytes + 9);
    body.write(pin.hash.slice(2), headBytes + 13, 'hex');
  }
  const gaps = (pin?.gaps ?? []).map(({ from, to }) => [from, to]);
  const position = pin?.lacksTraces ? [key, gaps, 1] : gaps.length > 0 ? [key, gaps] : [key];
  const bytes = Buffer.concat([body, Buffer.from(JSON.stringify(position))]);
  return Buffer.concat([bytes, checksum(scope, bytes)]).toString('base64url');
}

/** @throws ApiProblem invalid_cursor if damaged or of another query */
export function decodeCursor(scope: CursorScope, cursor: string): DecodedCursor {
  const bytes = Buffer.from(cursor, 'base64url');
  const body = bytes.subarray(0, -checksumBytes);
  const isWellFormed =
    body.length >= headBytes + 3 && bytes.length > checksumBytes && bytes.toString('base64url') === cursor;
  if (
    !isWellFormed ||
    !timingSafeEqual(bytes.subarray(-checksumBytes), checksum(scope, body)) ||
    body.readUInt8(0) !== cursorVersion
  )
    throw damaged();
  if (!body.subarray(1, headBytes).equals(fingerprint(scope))) {
    throw new ApiProblem('invalid_cursor', 'the cursor belongs to another query: keep all other parameters unchanged');
  }
  const hasPin = body.readUInt8(headBytes) === 1;
  const keyAt = headBytes + 1 + (hasPin ? pinBytes : 0);
  if (body.length < keyAt) throw damaged();
  const { key, ...skipped } = parseBody(body.subarray(keyAt).toString());
  if (!hasPin) return { key };
  const hash = `0x${body.toString('hex', headBytes + 13, keyAt)}`;
  const head = Number(body.readBigUInt64LE(headBytes + 1));
  return { key, pin: { head, reorgGeneration: body.readUInt32LE(headBytes + 9), hash, ...skipped } };
}

export const positionKey = ({ block, index, part = 0 }: Position): CursorKey => [block, index, part];

/** @throws ApiProblem invalid_cursor if the key is not a position */
export function keyPosition(key: CursorKey): Position {
  const [block, index, part] = key;
  const isPosition = key.length === 3 && key.every((item) => typeof item === 'number' && Number.isSafeInteger(item));
  if (!isPosition) throw damaged();
  return { block: block as number, index: index as number, part: part as number };
}

export function damaged(): ApiProblem {
  return new ApiProblem('invalid_cursor', 'the cursor is damaged: send nextCursor of the previous page unchanged');
}

const isKey = (value: unknown): value is CursorKey =>
  Array.isArray(value) && value.every((item) => typeof item === 'number' || typeof item === 'string');

function parseBody(text: string): Pick<Pin, 'gaps' | 'lacksTraces'> & { readonly key: CursorKey } {
  try {
    const [key, gaps, lacksTraces] = JSON.parse(text) as [unknown, [number, number][] | undefined, number | undefined];
    const skipped = gaps?.length ? gaps.map(([from, to]) => ({ from, to })) : undefined;
    if (isKey(key)) return { key, gaps: skipped, ...(lacksTraces === 1 ? { lacksTraces: true } : {}) };
  } catch {}
  throw damaged();
}

function checksum({ key }: CursorScope, body: Buffer): Buffer {
  return createHmac('sha256', key).update(body).digest().subarray(0, checksumBytes);
}

function fingerprint({ key, filter }: CursorScope): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(filter)).digest().subarray(0, 8);
}
