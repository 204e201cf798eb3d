import cron from 'node-cron';
import type { Log } from './log.ts';

/**
 * Runs work on a schedule until the signal aborts. Skips a turn while another runs. Only logs errors.
 * @param expression cron, UTC
 * @param event log event of a failed turn
 * @returns function that runs a turn at once
 */
export function runOnSchedule(
  expression: string,
  event: string,
  work: () => Promise<unknown>,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): () => Promise<void> {
  let isRunning = false;
  const turn = async () => {
    if (isRunning || signal.aborted) return;
    isRunning = true;
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) log.warn({ event, error: String(error) });
    } finally {
      isRunning = false;
    }
  };
  const task = cron.schedule(expression, turn, { timezone: 'UTC' });
  signal.addEventListener('abort', () => void task.destroy(), { once: true });
  return turn;
}
