/** Names of addresses for pages: labels of the registry, names of verified contracts, symbols of tokens. */
import { hexDigits } from '#chain/codec/hex.ts';
import { anywhere } from '../../cache/cache.ts';
import { KeyedReads } from '../../cache/keyed-reads.ts';
import { perDatabase } from '../../cache/per-database.ts';
import { readTokenNames } from '../tokens/token-texts.ts';
import { type LabelDeps, readLabels } from './address-labels.ts';

export interface AddressName {
  readonly text: string;
  /** Who chose the name. label: the operator's registry; contract, token: the creator of the contract, so it can mislead. */
  readonly kind: 'label' | 'token' | 'contract';
}

/** Addresses of a statement: the request sends them in its URL. */
const maxAddresses = 500;

/** Returns the names of those addresses that have one. @param addresses lower case; at most 500 are named */
export async function readAddressNames(
  deps: LabelDeps,
  addresses: Iterable<string>,
): Promise<Map<string, AddressName>> {
  const wanted = [...addresses].slice(0, maxAddresses);
  const [own, labels] = await Promise.all([ownNames(deps.database).of(wanted, anywhere), readLabels(deps, wanted)]);
  const names = new Map(own);
  for (const [address, [first]] of labels) if (first) names.set(address, { text: first.label, kind: 'label' });
  return names;
}

/** Names that contracts have by themselves. A new one appears within half a minute. */
const ownNames = perDatabase(
  (database) =>
    new KeyedReads<AddressName>('own_names', async (addresses) => {
      const [contracts, tokens] = await Promise.all([
        database.read('verified_names', { addresses: addresses.map(hexDigits) }),
        readTokenNames({ database }, addresses),
      ]);
      const names = new Map<string, AddressName>();
      for (const { address_hex, name } of contracts) names.set(address_hex, { text: name, kind: 'contract' });
      for (const { token, symbol, name } of tokens.values()) {
        const text = symbol || name;
        if (text) names.set(token, { text, kind: 'token' });
      }
      return names;
    }),
);
