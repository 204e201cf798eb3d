/**
 * A shape is a kind of event: an event without amount, date and id. Many events share a shape, which has one text and
 * vector. Its id is the xxHash64 (seed 0) of its fields, as in sql/columns/shape_id.sql.
 */
import { createXXHash64 } from 'hash-wasm';

export type Direction = 'in' | 'out' | 'self';
export type KnotStatus = 'ok' | 'failed';

export interface Shape {
  readonly kind: string;
  readonly direction: Direction;
  readonly status: KnotStatus;
  /** Why the transaction failed; '' if it succeeded or the reason is unknown. */
  readonly failReason: string;
  readonly tokenSymbol: string;
  readonly tokenName: string;
  /** Token class, such as stablecoin; '' if unknown. */
  readonly tokenClass: string;
  /** Symbol of the token received in exchange; '' if none. */
  readonly secondTokenSymbol: string;
  readonly secondTokenName: string;
  readonly secondTokenClass: string;
  readonly label: string;
  readonly category: string;
  /** Method name without parameters, or selector as 0x hex; '' for a plain transfer. */
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

function shapeKey(shape: Shape): string {
  return shapeFields.map((name) => shape[name].replaceAll(separator, ' ')).join(separator);
}

export function shapeId(shape: Shape): string {
  return String(BigInt(`0x${hasher.init().update(shapeKey(shape)).digest()}`));
}
