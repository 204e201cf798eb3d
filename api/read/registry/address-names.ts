/** Names of addresses on pages: labels of the registry, names of verified contracts, symbols of tokens. */
import { hexDigits } from '#chain/codec/hex.ts';
import { anywhere } from '../../cache/cache.ts';
import { KeyedReads } from '../../cache/keyed-reads.ts';
import { perDatabase } from '../../cache/per-database.ts';
import { readTokenNames } from '../tokens/token-names.ts';
import { type LabelDeps, readLabels } from './address-labels.ts';

export interface AddressName {
  readonly text: string;
  /** Origin of the name. label: the registry manifest. contract, token: the contract's creator, so it can mislead. */
  readonly kind: 'label' | 'token' | 'contract';
}

/** Maximum addresses per statement, because they are in the request URL. */
const maxAddresses = 500;

/** @param addresses lower case; only the first 500 are looked up */
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

/** Names of verified contracts and tokens. New names appear within half a minute. */
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
