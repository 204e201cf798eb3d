/** Stores wallet events and their shapes (without amount, date and id). Repeated inserts replace the same rows. */
import { zeroAddress } from '#chain/codec/hex.ts';
import { encodeKnot } from '#semantic/knot-rows.ts';
import { type Shape, shapeId } from '#semantic/shape.ts';
import { encodeShape } from '#semantic/shape-rows.ts';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { Knot } from './knot.ts';

export interface Label {
  readonly label: string;
  readonly category: string;
}

const noLabel: Label = { label: '', category: '' };

/** @param version must be higher than in all stored rows of these events */
export async function storeKnots(
  database: Database,
  knots: readonly Knot[],
  labels: ReadonlyMap<string, Label>,
  version: number,
): Promise<void> {
  if (knots.length === 0) return;
  const [rows, shapes] = [new RowWriter(512 * knots.length), new RowWriter(1 << 14)];
  const seen = new Set<string>();
  for (const knot of knots) {
    const shape = toShape(knot, labels.get(knot.counterparty) ?? noLabel);
    const id = shapeId(shape);
    if (!seen.has(id)) encodeShape(shapes, shape, id);
    seen.add(id);
    encodeKnot(rows, toRow(knot), shape, id, version);
  }
  await database.insertRowBinary('shapes', shapes.chunks);
  await database.insertRowBinary('knots', rows.chunks);
}

function toShape({ kind, direction, status, failReason, moved, second, method }: Knot, label: Label): Shape {
  return {
    kind,
    direction,
    status,
    failReason,
    method,
    ...label,
    tokenSymbol: moved.asset.symbol,
    tokenName: moved.asset.name,
    tokenClass: moved.asset.tokenClass,
    secondTokenSymbol: second?.asset.symbol ?? '',
    secondTokenName: second?.asset.name ?? '',
    secondTokenClass: second?.asset.tokenClass ?? '',
  };
}

function toRow(knot: Knot): Parameters<typeof encodeKnot>[1] {
  const { wallet, timestamp, block, txIndex, logIndex, part, txHash, moved, second, counterparty, fee } = knot;
  return {
    wallet,
    timestamp,
    blockNumber: block,
    txIndex,
    logIndex,
    part,
    txHash,
    counterparty,
    feeWei: fee,
    token: moved.asset.address,
    amount: moved.amount,
    decimals: moved.asset.decimals,
    secondToken: second?.asset.address ?? zeroAddress,
    secondAmount: second?.amount ?? 0n,
    secondDecimals: second?.asset.decimals ?? 0,
    tokenId: knot.tokenId ?? null,
    methodId: knot.methodId.padEnd(10, '0'),
    usd: null, // the API computes it with current prices
  };
}
