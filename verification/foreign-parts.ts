/** Checks the parts of code that the source does not determine. Sourcify accepts any bytes in such parts. */
import type { Transformation, Transformations } from './types.ts';

const push20 = '73';

/**
 * Returns which part of the code no compiler or linker writes; undefined if there is none. A library begins with its
 * own address (zeros if no transaction deployed it). A linked library or an immutable has the same value at each use.
 * @param code runtime code or init code, 0x hex
 * @source Solidity docs, "Call Protection For Libraries", "Library Linking", "Immutable"
 */
export function describeForeignPart(
  { list, values }: Transformations,
  code: string,
  address: string,
): string | undefined {
  const found = new Map<string, string>();
  for (const part of list) {
    if (part.reason === 'callProtection') {
      const start = code.slice(2, 44).toLowerCase();
      if (start !== push20 + address.slice(2).toLowerCase() && start !== push20 + '00'.repeat(20))
        return 'the code begins with other bytes than the compiled library';
    }
    if (part.reason !== 'library' && part.reason !== 'immutable') continue;
    const name = `the ${part.reason} ${part.id}`;
    const at = 2 + part.offset * 2;
    const value = code.slice(at, at + getPartValue(part, values).length - 2).toLowerCase();
    if ((found.get(name) ?? value) !== value) return `the code has several values of ${name}`;
    found.set(name, value);
  }
  return undefined;
}

/** Returns the value of a transformation's part, 0x hex. */
export function getPartValue({ reason, id = '' }: Transformation, values: Transformations['values']): string {
  if (reason === 'callProtection') return values.callProtection ?? '0x';
  const groups = { library: values.libraries, immutable: values.immutables, cborAuxdata: values.cborAuxdata };
  return (reason === 'constructorArguments' ? undefined : groups[reason]?.[id]) ?? '0x';
}
