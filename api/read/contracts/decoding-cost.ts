/**
 * Estimates the time to decode untrusted data. For each element of an array of dynamic values, ethers copies the rest
 * of the data, so the time grows with the square of the size: 128 KiB of `string[]` take 0.7 s.
 */
import type { ParamType } from 'ethers';

/** Maximum cost: 32 KiB of `string[]`, about 50 ms. */
export const maxDecodingCost = 1_024;
/** Maximum cost of a request. */
const maxCostInAll = 4 * maxDecodingCost;
/** A nested array can refer to the same data repeatedly. */
const nestedFactor = 8;

/** Returns the cost, KiB squared; 0 for types that are decoded in linear time. @param data 0x hex */
export function decodingCost(types: readonly ParamType[], data: string): number {
  const depth = countDynamicArrays(types);
  const kib = (data.length / 2 - 1) / 1_024;
  return depth === 0 ? 0 : kib * kib * (depth === 1 ? 1 : nestedFactor);
}

export class DecodingBudget {
  #left = maxCostInAll;

  /** Charges the cost of data. @param data 0x hex @returns false if it exceeds the budget */
  take(types: readonly ParamType[], data: string): boolean {
    const cost = decodingCost(types, data);
    if (cost > Math.min(maxDecodingCost, this.#left)) return false;
    this.#left -= cost;
    return true;
  }
}

/** Returns the nesting depth of arrays of dynamic values. */
function countDynamicArrays(types: readonly ParamType[]): number {
  return Math.max(
    0,
    ...types.map(({ arrayChildren, components }) => {
      if (!arrayChildren) return components ? countDynamicArrays(components) : 0;
      return countDynamicArrays([arrayChildren]) + (isDynamic(arrayChildren) ? 1 : 0);
    }),
  );
}

/** @source https://docs.soliditylang.org/en/latest/abi-spec.html, "Formal Specification of the Encoding" */
function isDynamic({ baseType, arrayLength, arrayChildren, components }: ParamType): boolean {
  if (arrayChildren) return arrayLength === -1 || isDynamic(arrayChildren);
  return baseType === 'string' || baseType === 'bytes' || (components ?? []).some(isDynamic);
}
