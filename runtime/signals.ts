/**
 * Joins abort signals. In Node 20, `AbortSignal.any` loses timeouts (nodejs/node#57736), and keeps all signals joined
 * with a long-lived one in memory (nodejs/node#54614).
 */
import { setMaxListeners } from 'node:events';

type Signals = readonly (AbortSignal | undefined)[];

/**
 * Returns a signal that aborts with the first of these. It stays in memory as long as they do, so use this for few
 * calls.
 */
export function joinSignals(...signals: Signals): AbortSignal {
  return forward(signals).joined.signal;
}

/** Runs a task with a signal that aborts with the first of these. */
export async function withSignals<T>(signals: Signals, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { joined, release } = forward(signals);
  try {
    return await task(joined.signal);
  } finally {
    release();
  }
}

/**
 * Runs a task with a signal that aborts after `ms`, or with the first of these.
 * @throws what the task throws; after `ms`, the signal's reason is a DOMException named TimeoutError
 */
export async function withDeadline<T>(
  ms: number,
  signals: Signals,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { joined, release } = forward(signals);
  const timer = setTimeout(
    () => joined.abort(new DOMException(`aborted by a timeout of ${ms} ms`, 'TimeoutError')),
    ms,
  );
  try {
    return await task(joined.signal);
  } finally {
    clearTimeout(timer);
    release();
  }
}

function forward(signals: Signals) {
  const joined = new AbortController();
  setMaxListeners(0, joined.signal); // each pending wait adds a listener
  const added: (() => void)[] = [];
  for (const signal of signals) {
    if (!signal) continue;
    const abort = () => joined.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    added.push(() => signal.removeEventListener('abort', abort));
  }
  const release = () => {
    for (const remove of added) remove();
  };
  return { joined, release };
}
