/**
 * Cursors: opaque, versioned, bound to the query that gave them and to the state of the chain that its first page saw, so
 * that all pages of one walk agree with each other while the chain grows. A keyed hash shows that this service made them:
 * instances of one service share its key. @source conventions C3
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ServiceKey } from '#runtime/service-key.ts';
import { ApiProblem } from './errors.ts';

/** Place of a row: height, position in the block, and position within that where one event moves several tokens. */
export interface Position {
  readonly block: number;
  readonly index: number;
  readonly part?: number;
}

/** Sort key of the last row that was sent. */
export type CursorKey = readonly (string | number)[];

/** Head that the first page of a walk saw. */
export interface Pin {
  readonly head: number;
  readonly hash: string;
  /** Of the chain state in which the hash was last known to be on the chain. */
  readonly reorgGeneration: number;
  /** Blocks that earlier pages of the walk passed over because they were not indexed then; absent: none. */
  readonly gaps?: readonly BlockRange[] | undefined;
}

/** Heights, both inclusive. */
export interface BlockRange {
  readonly from: number;
  readonly to: number;
}

interface DecodedCursor {
  readonly key: CursorKey;
  /** Absent in lists that are not bound to blocks. */
  readonly pin?: Pin;
}

/** What a query asked for, page size and cursor apart, and the key that binds its cursors to it. */
export class CursorScope {
  readonly key: Buffer;
  readonly filter: unknown;
  constructor(key: Buffer, filter: unknown) {
    this.key = key;
    this.filter = filter;
  }
}

export type Cursors = (filter: unknown) => CursorScope;

/** @returns what makes scopes of queries */
export function createCursors(serviceKey: ServiceKey): Cursors {
  const key = serviceKey.derive('cursors');
  return (filter) => new CursorScope(key, filter);
}

const version = 3;
const headBytes = 9;
const pinBytes = 44;
const checksumBytes = 16;

export function encodeCursor(scope: CursorScope, key: CursorKey, pin?: Pin): string {
  const body = Buffer.alloc(headBytes + 1 + (pin ? pinBytes : 0));
  body.writeUInt8(version, 0);
  fingerprint(scope).copy(body, 1);
  body.writeUInt8(pin ? 1 : 0, headBytes);
  if (pin) {
    body.writeBigUInt64LE(BigInt(pin.head), headBytes + 1);
    body.writeUInt32LE(pin.reorgGeneration, headBytes + 9);
    body.write(pin.hash.slice(2), headBytes + 13, 'hex');
  }
  const place = pin?.gaps?.length ? [key, pin.gaps.map(({ from, to }) => [from, to])] : [key];
  const whole = Buffer.concat([body, Buffer.from(JSON.stringify(place))]);
  return Buffer.concat([whole, checksum(scope, whole)]).toString('base64url');
}

/** @throws ApiProblem invalid_cursor when it is damaged or of another query */
export function decodeCursor(scope: CursorScope, cursor: string): DecodedCursor {
  const whole = Buffer.from(cursor, 'base64url');
  const body = whole.subarray(0, -checksumBytes);
  const isWhole =
    body.length >= headBytes + 3 && whole.length > checksumBytes && whole.toString('base64url') === cursor;
  if (
    !isWhole ||
    !timingSafeEqual(whole.subarray(-checksumBytes), checksum(scope, body)) ||
    body.readUInt8(0) !== version
  )
    throw damaged();
  if (!body.subarray(1, headBytes).equals(fingerprint(scope))) {
    throw new ApiProblem(
      'invalid_cursor',
      'the cursor belongs to another query: keep all other parameters as they were',
    );
  }
  const hasPin = body.readUInt8(headBytes) === 1;
  const keyAt = headBytes + 1 + (hasPin ? pinBytes : 0);
  if (body.length < keyAt) throw damaged();
  const { key, gaps } = parsePlace(body.subarray(keyAt).toString());
  if (!hasPin) return { key };
  const hash = `0x${body.toString('hex', headBytes + 13, keyAt)}`;
  const head = Number(body.readBigUInt64LE(headBytes + 1));
  return { key, pin: { head, reorgGeneration: body.readUInt32LE(headBytes + 9), hash, gaps } };
}

/** Position as a key, and back. */
export const positionKey = ({ block, index, part = 0 }: Position): CursorKey => [block, index, part];

/** @throws ApiProblem invalid_cursor when the key is no place */
export function keyPosition(key: CursorKey): Position {
  const [block, index, part] = key;
  const isPlace = key.length === 3 && key.every((item) => typeof item === 'number' && Number.isSafeInteger(item));
  if (!isPlace) throw damaged();
  return { block: block as number, index: index as number, part: part as number };
}

export function damaged(): ApiProblem {
  return new ApiProblem('invalid_cursor', 'the cursor is damaged: send nextCursor of the page before, unchanged');
}

const isKey = (value: unknown): value is CursorKey =>
  Array.isArray(value) && value.every((item) => typeof item === 'number' || typeof item === 'string');

function parsePlace(text: string): { key: CursorKey; gaps: readonly BlockRange[] | undefined } {
  try {
    const [key, gaps] = JSON.parse(text) as [unknown, [number, number][] | undefined];
    if (isKey(key)) return { key, gaps: gaps?.map(([from, to]) => ({ from, to })) };
  } catch {}
  throw damaged();
}

function checksum({ key }: CursorScope, body: Buffer): Buffer {
  return createHmac('sha256', key).update(body).digest().subarray(0, checksumBytes);
}

function fingerprint({ key, filter }: CursorScope): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(filter)).digest().subarray(0, 8);
}
