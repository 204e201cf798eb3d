import type { RowWriter } from '#sql/row-writer.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { renderShape, renderVersion } from './render-shape.ts';
import { type Direction, type KnotStatus, type Shape, shapeFields, shapeId } from './shape.ts';
import { isStopWord, splitWords, stem } from './words.ts';

export type ShapeRecord = RowOf<'all_shapes'>;

export function toShape(record: ShapeRecord): Shape {
  const { kind, label, category, method } = record;
  return {
    kind,
    direction: record.direction as Direction,
    status: record.status as KnotStatus,
    label,
    category,
    method,
    failReason: record.fail_reason,
    tokenSymbol: record.token_symbol,
    tokenName: record.token_name,
    tokenClass: record.token_class,
    secondTokenSymbol: record.second_token_symbol,
    secondTokenName: record.second_token_name,
    secondTokenClass: record.second_token_class,
  };
}

export function describeShape(shape: Shape): string {
  const { facts, meaning } = renderShape(shape);
  return `${facts}. ${meaning}`;
}

export function encodeShape(w: RowWriter, shape: Shape, id = shapeId(shape)): void {
  const text = describeShape(shape);
  w.quantity64(`0x${BigInt(id).toString(16)}`);
  for (const name of shapeFields) w.text(shape[name]);
  w.text(text);
  w.text(toTerms(text));
  w.uint32(renderVersion);
  w.endRow();
}

export function encodeShapeVector(w: RowWriter, embedder: string, id: string, vector: Float32Array): void {
  w.text(embedder);
  w.quantity64(`0x${BigInt(id).toString(16)}`);
  w.bfloat16Array(vector);
  w.uint32(renderVersion);
  w.endRow();
}

function toTerms(text: string): string {
  return [
    ...new Set(
      splitWords(text)
        .filter((word) => !isStopWord(word))
        .map(stem),
    ),
  ].join(' ');
}
