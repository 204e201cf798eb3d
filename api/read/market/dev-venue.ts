/** The venue that the dev chain brings: listed like any other, by the same probe, as long as the dev chain is used. */
import { readFileSync } from 'node:fs';
import { DevFeed } from '#devchain/order-book-feed.ts';
import { pause } from '#runtime/shutdown.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { type FeedNetwork, systemNetwork } from './feed/fetch-feed.ts';
import type { MarketDeps } from './venues.ts';

/** Between two tries to list it, ms. */
const retryMs = 2_000;

/** @param path that the dev chain wrote it to. @throws Error where there is none, or it is no such file */
export function readDevFeed(path: string): DevFeed {
  return DevFeed.parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** The network of feeds where a dev chain is used: all rules hold, but for its own host. */
export const devNetwork = ({ host, authority }: DevFeed): FeedNetwork => ({
  ...systemNetwork,
  own: { host, authority },
});

/** Lists the venue as soon as its feed is sound; one of the same name at an earlier address gives way. */
export async function listDevVenue(deps: MarketDeps, feed: DevFeed, signal: AbortSignal): Promise<void> {
  const { venue, pair, feedUrl } = feed;
  let said = '';
  while (!signal.aborted) {
    try {
      const present = (await deps.venues.list(deps)).find((each) => each.venue === venue && each.pair === pair);
      if (present?.feedUrl === feedUrl) return;
      if (present) await deps.venues.remove(deps, present);
      await deps.venues.add(deps, { venue, pair, feedUrl });
      return;
    } catch (error) {
      const why = String(error);
      if (why !== said && !signal.aborted) deps.log.warn({ event: 'dev_venue_fault', error: why });
      said = why;
      if (error instanceof ApiProblem && error.code === 'venue_conflict') return; // another process listed it
    }
    await pause(retryMs, signal);
  }
}
