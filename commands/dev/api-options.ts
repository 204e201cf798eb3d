import type { ApiOptions } from '#api/main.ts';
import { devNetwork, isListed, listDevVenue, readDevFeed } from './dev-venue.ts';
import { verifyDevContracts } from './verify-dev-contracts.ts';

/** Returns options for the API of a dev chain: it reads the dev chain's order book and verifies its contracts. */
export function devApiOptions(feedFile: string): ApiOptions {
  const feed = readDevFeed(feedFile);
  return {
    outbound: devNetwork(feed),
    onReady: async (deps, signal) => {
      await isListed(deps, feed).catch(() => false); // listDevVenue() tries again
      void listDevVenue(deps, feed, signal);
      void verifyDevContracts(deps, signal);
    },
  };
}
