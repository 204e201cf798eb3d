/**
 * What an event is, without amount, date and id: many events share a shape, so texts and vectors are made for shapes alone.
 * Its id is the xxHash64 (seed 0) of its key, which SQL computes as well (sql/columns/shape_id.sql).
 */
import { createXXHash64 } from 'hash-wasm';

export type Direction = 'in' | 'out' | 'self';
export type KnotStatus = 'ok' | 'failed';

export interface Shape {
  /** native_transfer, token_transfer, swap, contract_call, … : lexicon/kinds.ts lists the known ones, others may come. */
  readonly kind: string;
  readonly direction: Direction;
  readonly status: KnotStatus;
  /** Why it failed; '' when it did not, or nobody knows. */
  readonly failReason: string;
  readonly tokenSymbol: string;
  readonly tokenName: string;
  /** native coin, stablecoin, nft collection, … : lexicon/tokens.ts. '' when unknown. */
  readonly tokenClass: string;
  /** What came back for the token in a swap and the like; '' when nothing did. */
  readonly secondTokenSymbol: string;
  readonly secondTokenName: string;
  readonly secondTokenClass: string;
  /** Public label of the counterparty; '' when it has none. */
  readonly label: string;
  /** Category of that label: lexicon/categories.ts. */
  readonly category: string;
  /** Name of the method without parameters, or its selector as 0x hex; '' for a plain transfer. */
  readonly method: string;
}

/** In the order of the key. */
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

/** Fields in order, parted by U+001F, which a field cannot hold. */
function shapeKey(shape: Shape): string {
  return shapeFields.map((name) => shape[name].replaceAll(separator, ' ')).join(separator);
}

/** Decimal string of 64 bits, as the database gives it. */
export function shapeId(shape: Shape): string {
  return String(BigInt(`0x${hasher.init().update(shapeKey(shape)).digest()}`));
}
