import type { WireTransaction } from '#chain/rpc/wire-types.ts';

/**
 * Encodes non-empty fields of typed transactions as JSON, with lower-case addresses and hashes.
 * @returns an empty text for a legacy transaction
 * @source EIP-2718, EIP-2930, EIP-4844, EIP-7702
 */
export function encodeTypedFields(t: WireTransaction): string {
  if (Number(t.type ?? '0x0') === 0) return '';
  const { accessList, blobVersionedHashes, authorizationList } = t;
  if (!accessList?.length && !blobVersionedHashes?.length && !authorizationList?.length) return '{}';
  return JSON.stringify({
    accessList: unlessEmpty(
      accessList?.map(({ address, storageKeys }) => ({ address: lower(address), storageKeys: storageKeys.map(lower) })),
    ),
    blobVersionedHashes: unlessEmpty(blobVersionedHashes?.map(lower)),
    authorizationList: unlessEmpty(
      authorizationList?.map(({ chainId, address, nonce, yParity, v, r, s }) => ({
        chainId,
        address: lower(address),
        nonce,
        yParity: yParity ?? v,
        r,
        s,
      })),
    ),
  });
}

const lower = (hex: string) => hex.toLowerCase();

function unlessEmpty<T>(list: T[] | undefined): T[] | undefined {
  return list?.length ? list : undefined;
}
