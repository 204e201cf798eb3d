import { runOnSchedule } from '#runtime/schedule.ts';
import type { MarketDeps } from './venues.ts';

/** Fetches all order books at startup, then by schedule. */
export function refreshFeeds(deps: MarketDeps, signal: AbortSignal): void {
  const { log, settings, venues } = deps;
  const refresh = runOnSchedule(settings.markets.schedule, 'feeds_error', () => venues.refresh(deps), { log, signal });
  void refresh();
}
