/**
 * Canonical ids of wallets and contracts: 32 bytes with chain id, kind and address.
 * @shape 4 bytes "cord" | 2 bytes canon 1.2 | 1 byte kind | 5 bytes chain id, big-endian | 20 bytes address
 * @source docs/registry.md#manifest
 */
import { type DerivedKind, derivedKinds } from './kinds.ts';

const prefix = '0x636f72640102';

interface CanonicalId {
  readonly kind: DerivedKind;
  readonly chainId: number;
  readonly address: string;
}

/** @returns 0x and 64 hex digits, lower case */
export function canonicalId({ kind, chainId, address }: CanonicalId): string {
  const byte = derivedKinds[kind].toString(16).padStart(2, '0');
  return `${prefix}${byte}${chainId.toString(16).padStart(10, '0')}${address.slice(2)}`;
}

/** parseCanonicalId may still reject the id. */
export const isCanonical = (id: string) => id.startsWith(prefix);

/** @returns undefined if the id is not canonical or its kind unknown */
export function parseCanonicalId(id: string): CanonicalId | undefined {
  const kind = (Object.keys(derivedKinds) as DerivedKind[]).find((name) => derivedKinds[name] === byteAt(id));
  if (!isCanonical(id) || kind === undefined) return undefined;
  return { kind, chainId: Number.parseInt(id.slice(16, 26), 16), address: `0x${id.slice(26)}` };
}

const byteAt = (id: string) => Number.parseInt(id.slice(14, 16), 16);
