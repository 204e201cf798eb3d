import { getLimitedNetwork } from '#runtime/budgets/network.ts';
import type { ServiceKey } from '#runtime/service-key.ts';

/** A network may have a fifth of all places. */
const networkShare = 5;

/**
 * Returns a keyed hash of a caller's network: a stranger has many identities, but few networks. Empty for private addresses,
 * which are the operator's own programs.
 */
export function hashNetwork(serviceKey: ServiceKey, address: string): string {
  const network = getLimitedNetwork(address);
  return network === undefined ? '' : serviceKey.derive(`network ${network}`).toString('base64url');
}

/** Returns the maximum number of places of a network. */
export const countNetworkPlaces = (all: number, perOwner: number): number =>
  Math.max(perOwner, Math.floor(all / networkShare));
