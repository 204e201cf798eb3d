import type { RowWriter } from '#sql/row-writer.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import type { Shape } from './shape.ts';

/**
 * Event of one wallet (a knot): a log or a transaction. Missing addresses and hashes are zeros.
 */
export interface Knot {
  readonly wallet: string;
  /** Time of the block, Unix seconds. */
  readonly timestamp: number;
  readonly blockNumber: number;
  readonly txIndex: number;
  /** Index of the log in the block; -1: the transaction itself. */
  readonly logIndex: number;
  readonly part: number;
  readonly txHash: string;
  readonly token: string;
  readonly amount: bigint;
  readonly decimals: number;
  readonly secondToken: string;
  readonly secondAmount: bigint;
  readonly secondDecimals: number;
  readonly tokenId: bigint | null;
  readonly counterparty: string;
  readonly methodId: string;
  readonly feeWei: bigint;
  readonly usd: number | null;
}

/**
 * The row with an event's highest version is valid.
 * @param version Unix milliseconds
 */
export function encodeKnot(w: RowWriter, knot: Knot, shape: Shape, shapeId: string, version: number): void {
  w.fixed(knot.wallet, 20);
  w.uint32(knot.timestamp);
  w.uint64(knot.blockNumber);
  w.uint32(knot.txIndex);
  w.int32(knot.logIndex);
  w.uint16(knot.part);
  w.fixed(knot.txHash, 32);
  for (const text of [shape.kind, shape.direction, shape.status]) w.text(text);
  w.fixed(knot.token, 20);
  w.text(shape.tokenSymbol);
  w.text(shape.tokenClass);
  encodeAmount(w, knot.amount, knot.decimals);
  w.fixed(knot.secondToken, 20);
  w.text(shape.secondTokenSymbol);
  w.text(shape.secondTokenClass);
  encodeAmount(w, knot.secondAmount, knot.secondDecimals);
  w.isNull(knot.tokenId === null);
  if (knot.tokenId !== null) w.uint256(knot.tokenId);
  w.fixed(knot.counterparty, 20);
  w.fixed(knot.methodId, 4);
  w.text(shape.method);
  w.uint256(knot.feeWei);
  w.isNull(knot.usd === null);
  if (knot.usd !== null) w.float64(knot.usd);
  w.quantity64(`0x${BigInt(shapeId).toString(16)}`);
  w.uint64(version);
  w.endRow();
}

function encodeAmount(w: RowWriter, amount: bigint, decimals: number): void {
  w.uint256(amount);
  w.uint8(decimals);
  w.float64(Number(amount) / 10 ** decimals);
}

/** Row of the table knots. Hashes and addresses are hex digits without 0x. */
export type KnotRecord = BinaryRowOf<'knots_of_shapes'>;

/**
 * Returns the id of an event: `<hash>:<log index>`, or `<hash>:tx` for the transaction itself. If a log has several
 * transfers (ERC-1155 batch), the second ends in `.1`, the third in `.2`.
 */
export function knotId(record: Pick<KnotRecord, 'tx_hash' | 'log_index' | 'part'>): string {
  const position = record.log_index < 0 ? 'tx' : String(record.log_index);
  return `${record.tx_hash}:${position}${record.part > 0 ? `.${record.part}` : ''}`;
}
