import { readFileSync } from 'node:fs';
import type { MarketDeps } from '#api/read/market/venues.ts';
import { ApiProblem } from '#api/terms/errors.ts';
import { DevFeed } from '#devchain/order-book-feed.ts';
import { type OutboundNetwork, systemNetwork } from '#runtime/outbound/outbound.ts';
import { pause } from '#runtime/shutdown.ts';

const retryMs = 2_000;

/** Reads the order-book feed from the file that the dev chain wrote. @throws Error */
export function readDevFeed(path: string): DevFeed {
  return DevFeed.parse(JSON.parse(readFileSync(path, 'utf8')));
}

export const devNetwork = ({ host, authority }: DevFeed): OutboundNetwork => ({
  ...systemNetwork,
  own: { host, authority },
});

/** Adds the dev chain's order-book feed to the venues once the feed is valid. */
export async function listDevVenue(deps: MarketDeps, feed: DevFeed, signal: AbortSignal): Promise<void> {
  const { venue, pair, feedUrl } = feed;
  let lastError = '';
  while (!signal.aborted) {
    try {
      if (await isListed(deps, feed)) return;
      await deps.venues.add(deps, { venue, pair, feedUrl });
      return;
    } catch (error) {
      const message = String(error);
      if (message !== lastError && !signal.aborted) deps.log.warn({ event: 'dev_venue_error', error: message });
      lastError = message;
      if (error instanceof ApiProblem && error.code === 'venue_conflict') return; // another process added the venue
    }
    await pause(retryMs, signal);
  }
}

/** Also removes the venue of an earlier dev chain. */
export async function isListed(deps: MarketDeps, { venue, pair, feedUrl }: DevFeed): Promise<boolean> {
  const present = (await deps.venues.list(deps)).find((each) => each.venue === venue && each.pair === pair);
  if (present && present.feedUrl !== feedUrl) await deps.venues.remove(deps, present);
  return present?.feedUrl === feedUrl;
}
