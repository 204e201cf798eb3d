import { setMaxListeners } from 'node:events';

/**
 * Returns a signal that aborts on SIGTERM or SIGINT, or when the parent of a child process ends.
 * @param end called on a second signal; default: exit with code 130
 */
export function shutdownSignal(end: () => void = () => process.exit(130)): AbortSignal {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal); // each pending wait adds a listener
  const onSignal = () => {
    if (controller.signal.aborted) end();
    controller.abort();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  if (process.send) {
    process.on('disconnect', () => controller.abort());
    process.channel?.unref(); // otherwise, the channel to the parent keeps a finished process alive
  }
  return controller.signal;
}

export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Waits `ms`, or until the signal aborts. Never throws. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}
