import { getLimitedNetwork } from '#runtime/budgets/network.ts';
import type { ServiceKey } from '#runtime/service-key.ts';

/** One network may use 1/5 of all places for watches or saved queries. */
const networkShare = 5;

/**
 * Returns a keyed hash of a caller's network, because a person can have many identities, but few networks. Returns an
 * empty string for private addresses, which belong to the operator's programs.
 */
export function hashNetwork(serviceKey: ServiceKey, address: string): string {
  const network = getLimitedNetwork(address);
  return network === undefined ? '' : serviceKey.derive(`network ${network}`).toString('base64url');
}

export const countNetworkPlaces = (all: number, perOwner: number): number =>
  Math.max(perOwner, Math.floor(all / networkShare));
