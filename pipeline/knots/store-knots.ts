/** Knots and the shapes they have, into their tables; writing them again replaces them. */
import { type Shape, shapeId } from '#semantic/shape.ts';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { Knot } from './knot.ts';

export interface Label {
  readonly label: string;
  readonly category: string;
}

const noLabel: Label = { label: '', category: '' };

/** @param labels of counterparties that have one */
export async function storeKnots(
  database: Database,
  knots: readonly Knot[],
  labels: ReadonlyMap<string, Label>,
): Promise<void> {
  if (knots.length === 0) return;
  const rows = new RowWriter(512 * knots.length);
  const shapes = new Map<string, Shape>();
  const version = Date.now();
  for (const knot of knots) {
    const shape = shapeOf(knot, labels.get(knot.counterparty) ?? noLabel);
    const id = shapeId(shape);
    shapes.set(id, shape);
    encodeKnot(rows, knot, id, version);
  }
  await database.insertRowBinary('shapes', encodeShapes(shapes));
  await database.insertRowBinary('knots', rows.chunks);
}

function shapeOf({ kind, direction, status, failReason, moved, second, method }: Knot, label: Label): Shape {
  return {
    ...{ kind, direction, status, failReason, method, ...label },
    ...{ tokenSymbol: moved.asset.symbol, tokenName: moved.asset.name, tokenClass: moved.asset.tokenClass },
    secondTokenSymbol: second?.asset.symbol ?? '',
    secondTokenName: second?.asset.name ?? '',
    secondTokenClass: second?.asset.tokenClass ?? '',
  };
}

function encodeKnot(w: RowWriter, knot: Knot, id: string, version: number): void {
  w.fixed(knot.wallet, 20);
  w.uint32(knot.timestamp);
  w.uint64(knot.block);
  w.uint32(knot.txIndex);
  w.int32(knot.logIndex);
  w.uint16(knot.part);
  w.fixed(knot.txHash, 32);
  for (const text of [knot.kind, knot.direction, knot.status]) w.text(text);
  encodeAmount(w, knot.moved);
  encodeAmount(w, knot.second);
  w.isNull(knot.tokenId === undefined);
  if (knot.tokenId !== undefined) w.uint256(knot.tokenId);
  w.fixed(knot.counterparty, 20);
  w.fixed(knot.methodId.padEnd(10, '0'), 4);
  w.text(knot.method);
  w.uint256(knot.fee);
  w.isNull(true); // no price is known for its time
  w.quantity64(`0x${BigInt(id).toString(16)}`);
  w.uint64(version);
  w.endRow();
}

function encodeAmount(w: RowWriter, moved: Knot['moved'] | undefined): void {
  const { address, symbol, tokenClass, decimals } = moved?.asset ?? {
    address: noToken,
    symbol: '',
    tokenClass: '',
    decimals: 0,
  };
  w.fixed(address, 20);
  w.text(symbol);
  w.text(tokenClass);
  w.uint256(moved?.amount ?? 0n);
  w.uint8(decimals);
  w.float64(Number(moved?.amount ?? 0n) / 10 ** decimals);
}

const noToken = `0x${'0'.repeat(40)}`;

function encodeShapes(shapes: ReadonlyMap<string, Shape>): Buffer {
  const w = new RowWriter(512 * shapes.size);
  for (const [id, shape] of shapes) {
    w.quantity64(`0x${BigInt(id).toString(16)}`);
    for (const text of [shape.kind, shape.direction, shape.status, shape.failReason]) w.text(text);
    for (const text of [shape.tokenSymbol, shape.tokenName, shape.tokenClass]) w.text(text);
    for (const text of [shape.secondTokenSymbol, shape.secondTokenName, shape.secondTokenClass]) w.text(text);
    for (const text of [shape.label, shape.category, shape.method]) w.text(text);
    for (const text of ['', '']) w.text(text); // rendered by the job that embeds them
    w.uint32(0);
    w.endRow();
  }
  return w.view();
}
