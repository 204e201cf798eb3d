/** Cursors: opaque, versioned, bound to the query that gave them. @source conventions C3 */
import { createHash } from 'node:crypto';
import { ApiProblem } from './errors.ts';

/** Place of the last row that was sent. */
export interface Position {
  readonly block: number;
  readonly index: number;
}

const version = 1;

/** @param filter what the query asked for, page size and cursor apart */
export function encodeCursor(filter: unknown, position: Position): string {
  const body = Buffer.alloc(21);
  body.writeUInt8(version, 0);
  fingerprint(filter).copy(body, 1);
  body.writeBigUInt64LE(BigInt(position.block), 9);
  body.writeUInt32LE(position.index, 17);
  return body.toString('base64url');
}

/** @throws ApiProblem invalid_cursor when it is damaged or of another query */
export function decodeCursor(filter: unknown, cursor: string): Position {
  const body = Buffer.from(cursor, 'base64url');
  if (body.length !== 21 || body.toString('base64url') !== cursor || body.readUInt8(0) !== version) {
    throw new ApiProblem('invalid_cursor', 'the cursor is damaged: send nextCursor of the page before, unchanged');
  }
  if (!body.subarray(1, 9).equals(fingerprint(filter))) {
    throw new ApiProblem(
      'invalid_cursor',
      'the cursor belongs to another query: keep all other parameters as they were',
    );
  }
  return { block: Number(body.readBigUInt64LE(9)), index: body.readUInt32LE(17) };
}

function fingerprint(filter: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(filter)).digest().subarray(0, 8);
}
