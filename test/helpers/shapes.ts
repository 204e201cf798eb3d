import { renderShape } from '#semantic/render-shape.ts';
import type { Shape } from '#semantic/shape.ts';

export function createShape(fields: Partial<Shape>): Shape {
  return {
    kind: 'native_transfer',
    direction: 'in',
    status: 'ok',
    failReason: '',
    tokenSymbol: 'FAT',
    tokenName: 'FAT',
    tokenClass: 'native coin',
    secondTokenSymbol: '',
    secondTokenName: '',
    secondTokenClass: '',
    label: '',
    category: '',
    method: '',
    ...fields,
  };
}

export function matchesText(shape: Shape, word: string): boolean {
  const { facts, meaning } = renderShape(shape);
  return `${facts} ${meaning}`.includes(word);
}
