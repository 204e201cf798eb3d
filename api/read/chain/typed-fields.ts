import { verifyAuthorization } from 'ethers';
import { z } from 'zod';
import { hexToText } from '#chain/codec/hex.ts';
import { anywhere, Cache } from '../../cache/cache.ts';
import { HexAddress, HexHash } from '../../terms/primitives.ts';
import type { DetailRecord } from '../../terms/records.ts';

/** Maximum number of recovered signatures per transaction: each takes 5 ms. */
const maxRecovered = 100;

const Access = z
  .strictObject({ address: HexAddress, storageKeys: z.array(HexHash) })
  .meta({ id: 'AccessListEntry', description: 'Contract and storage slots that a transaction announces (EIP-2930)' });

const Authorization = z
  .strictObject({
    chainId: z.string().meta({ description: 'Chain on which the authorization is valid, decimal; 0: all chains' }),
    address: HexAddress.meta({
      description: 'Contract whose code the account runs; zero address: removes the delegation',
    }),
    nonce: z.string().meta({ description: 'Nonce that the account must have, decimal' }),
    authority: HexAddress.nullable().meta({
      description: `Account that signed the authorization; null if the signature is invalid, and after the first ${maxRecovered} authorizations of a transaction`,
    }),
  })
  .meta({ id: 'Authorization', description: 'Code that an account delegates to (EIP-7702)' });

const unknown = 'null if an older version, which did not store this field, indexed the block';

/** Fields that only typed transactions have. @source EIP-2930, EIP-4844, EIP-7702 */
export const typedFieldsShape = {
  accessList: z
    .array(Access)
    .nullable()
    .meta({ description: `Access list; ${unknown}` }),
  blobVersionedHashes: z
    .array(HexHash)
    .nullable()
    .meta({ description: `Hashes of the blobs; ${unknown}` }),
  authorizationList: z
    .array(Authorization)
    .nullable()
    .meta({ description: `EIP-7702 authorizations; ${unknown}` }),
};

export type TypedFields = z.infer<z.ZodObject<typeof typedFieldsShape>>;

interface StoredFields {
  readonly accessList?: { address: string; storageKeys: string[] }[];
  readonly blobVersionedHashes?: string[];
  readonly authorizationList?: StoredAuthorization[];
}

interface StoredAuthorization {
  readonly chainId: string;
  readonly address: string;
  readonly nonce: string;
  readonly yParity: string;
  readonly r: string;
  readonly s: string;
}

export function readTypedFields({ type, typed_fields }: Pick<DetailRecord, 'type' | 'typed_fields'>): TypedFields {
  const text = hexToText(typed_fields);
  if (text === '' && type !== 0) return { accessList: null, blobVersionedHashes: null, authorizationList: null };
  const stored: StoredFields = text === '' ? {} : JSON.parse(text);
  return {
    accessList: stored.accessList ?? [],
    blobVersionedHashes: stored.blobVersionedHashes ?? [],
    authorizationList: (stored.authorizationList ?? []).map((one, i) => ({
      chainId: String(BigInt(one.chainId)),
      address: one.address,
      nonce: String(BigInt(one.nonce)),
      authority: i < maxRecovered ? findAuthority(one) : null,
    })),
  };
}

/** Recovered accounts by authorization; empty: the signature is invalid. */
const recovered = new Cache<string>('authorities');

function findAuthority(authorization: StoredAuthorization): string | null {
  const key = JSON.stringify(authorization);
  const known = recovered.get(key, anywhere);
  if (known !== undefined) return known || null;
  const authority = recoverAuthority(authorization);
  recovered.set(key, anywhere, authority ?? '');
  return authority;
}

/** @source EIP-7702, "authority = ecrecover(msg, y_parity, r, s)" */
function recoverAuthority({ chainId, address, nonce, yParity, r, s }: StoredAuthorization): string | null {
  const pad = (hex: string) => `0x${hex.slice(2).padStart(64, '0')}`;
  const signature = { r: pad(r), s: pad(s), yParity: Number(yParity) as 0 | 1 };
  try {
    return verifyAuthorization({ chainId: BigInt(chainId), address, nonce: BigInt(nonce) }, signature).toLowerCase();
  } catch {
    return null; // ethers rejects signatures that recover no account
  }
}
