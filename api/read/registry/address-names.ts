/** Names of addresses for pages: labels of the registry, names of verified contracts, symbols of tokens. */
import { hexDigits } from '#chain/codec/hex.ts';
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
  const parameters = { addresses: wanted.map(hexDigits) };
  const [contracts, tokens, labels] = await Promise.all([
    deps.database.read('verified_names', parameters),
    deps.database.read('token_names', parameters),
    readLabels(deps, wanted),
  ]);
  const names = new Map<string, AddressName>();
  for (const { address_hex, name } of contracts) names.set(address_hex, { text: name, kind: 'contract' });
  for (const { token, symbol, name } of tokens) {
    const text = symbol || name;
    if (text) names.set(token, { text, kind: 'token' });
  }
  for (const [address, [first]] of labels) if (first) names.set(address, { text: first.label, kind: 'label' });
  return names;
}
