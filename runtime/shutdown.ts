import { setMaxListeners } from 'node:events';

/** SIGTERM and SIGINT as an AbortSignal; a second signal ends the process at once. @param end how it does that */
export function shutdownSignal(end: () => void = () => process.exit(130)): AbortSignal {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal); // everything that waits listens to it
  const onSignal = () => {
    if (controller.signal.aborted) end();
    controller.abort();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  if (process.send) {
    process.on('disconnect', () => controller.abort());
    process.channel?.unref(); // a listener alone would keep a process alive that has finished its work
  }
  return controller.signal;
}

/** Resolves when the signal fires. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Waits `ms`, or until the signal fires; never throws. */
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
