/**
 * An event without amount, date and id. Many events share a shape, so texts and vectors are made per shape. Its id is
 * the xxHash64 (seed 0) of its key, as in sql/columns/shape_id.sql.
 */
import { createXXHash64 } from 'hash-wasm';

export type Direction = 'in' | 'out' | 'self';
export type KnotStatus = 'ok' | 'failed';

export interface Shape {
  /** lexicon/kinds.ts lists the known kinds; others are allowed. */
  readonly kind: string;
  readonly direction: Direction;
  readonly status: KnotStatus;
  /** '' for success or an unknown reason. */
  readonly failReason: string;
  readonly tokenSymbol: string;
  readonly tokenName: string;
  /** See lexicon/tokens.ts; '' if unknown. */
  readonly tokenClass: string;
  /** Received in exchange; '' if none. */
  readonly secondTokenSymbol: string;
  readonly secondTokenName: string;
  readonly secondTokenClass: string;
  readonly label: string;
  /** See lexicon/categories.ts. */
  readonly category: string;
  /** Without parameters, or the selector as 0x hex; '' for a plain transfer. */
  readonly method: string;
}

export const shapeFields = [
  'kind',
  'direction',
  'status',
  'failReason',
  'tokenSymbol',
  'tokenName',
  'tokenClass',
  'secondTokenSymbol',
  'secondTokenName',
  'secondTokenClass',
  'label',
  'category',
  'method',
] as const satisfies readonly (keyof Shape)[];

const separator = '\u001f';
const hasher = await createXXHash64();

/** U+001F joins fields, and is replaced within them. */
function shapeKey(shape: Shape): string {
  return shapeFields.map((name) => shape[name].replaceAll(separator, ' ')).join(separator);
}

/** Decimal, 64 bits, as the database does. */
export function shapeId(shape: Shape): string {
  return String(BigInt(`0x${hasher.init().update(shapeKey(shape)).digest()}`));
}
