export const registryKinds = [
  'wallet',
  'contract',
  'asset',
  'did',
  'organization',
  'application',
  'ecosystem',
  'partner',
  'cord',
] as const;

export type RegistryKind = (typeof registryKinds)[number];

/** Byte of each kind in canonical ids, see entity-id.ts. */
export const derivedKinds = { wallet: 1, contract: 2 } as const satisfies Partial<Record<RegistryKind, number>>;

export type DerivedKind = keyof typeof derivedKinds;

/** Format version of manifests (files of named entities) and ids. @source docs/registry.md#manifest */
export const canonVersion = '1.2';
