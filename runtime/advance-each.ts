import PQueue from 'p-queue';
import { pause } from './shutdown.ts';

export interface Advanced<T> {
  readonly list: () => Promise<readonly T[]>;
  readonly getId: (item: T) => string;
  readonly hasWork: (item: T) => boolean;
  /** Reports its own errors and must not throw. */
  readonly advance: (item: T) => Promise<void>;
  readonly onListError: (error: unknown) => void;
  readonly atOnce: number;
  /** Pause before the list is read again, ms. */
  readonly everyMs: number;
}

/** Processes the items of a list repeatedly until the signal fires. A slow item does not delay the others. */
export async function advanceEach<T>(each: Advanced<T>, signal: AbortSignal): Promise<void> {
  const queue = new PQueue({ concurrency: each.atOnce });
  const busy = new Set<string>();
  while (!signal.aborted) {
    try {
      const earlier = new Set(busy); // the list may show these items as they were before their work ended
      for (const item of await each.list()) {
        const id = each.getId(item);
        if (earlier.has(id) || busy.has(id) || !each.hasWork(item)) continue;
        busy.add(id);
        void queue.add(() => each.advance(item)).finally(() => busy.delete(id));
      }
    } catch (error) {
      if (!signal.aborted) each.onListError(error);
    }
    await pause(each.everyMs, signal);
  }
  await queue.onIdle();
}
