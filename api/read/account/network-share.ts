import { getNetworkPrefix } from '#runtime/budgets/network.ts';
import type { ServiceKey } from '#runtime/service-key.ts';

/** A network may have this part of all places: one of five. */
const networkShare = 5;

/** Returns a keyed hash of a caller's network: a stranger has many identities, but few networks. */
export const hashNetwork = (serviceKey: ServiceKey, address: string): string =>
  serviceKey.derive(`network ${getNetworkPrefix(address)}`).toString('base64url');

/** Returns the maximum number of places of a network. */
export const countNetworkPlaces = (all: number, perOwner: number): number =>
  Math.max(perOwner, Math.floor(all / networkShare));
