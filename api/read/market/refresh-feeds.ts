import cron from 'node-cron';
import type { MarketDeps } from './venues.ts';

/** Fetches all order books at startup, then by schedule. Skips a fetch while one runs. */
export function refreshFeeds(deps: MarketDeps, signal: AbortSignal): void {
  let isRunning = false;
  const refresh = async () => {
    if (isRunning || signal.aborted) return;
    isRunning = true;
    await deps.venues.refresh(deps).catch((error: unknown) => {
      if (!signal.aborted) deps.log.warn({ event: 'feeds_fault', error: String(error) });
    });
    isRunning = false;
  };
  const task = cron.schedule(deps.settings.markets.schedule, refresh, { timezone: 'UTC' });
  signal.addEventListener('abort', () => void task.destroy(), { once: true });
  void refresh();
}
