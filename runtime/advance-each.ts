import PQueue from 'p-queue';
import { pause } from './shutdown.ts';

export interface Advanced<T> {
  readonly list: () => Promise<readonly T[]>;
  readonly idOf: (item: T) => string;
  readonly hasWork: (item: T) => boolean;
  /** Does the work of one item. Reports its own errors. */
  readonly advance: (item: T) => Promise<void>;
  readonly onListError: (error: unknown) => void;
  /** Maximum number of items in work at a time. */
  readonly atOnce: number;
  /** Pause between two looks at the list, ms. */
  readonly everyMs: number;
}

/** Does the work of each item of a list, again and again until the signal fires. A slow item delays no other. */
export async function advanceEach<T>(each: Advanced<T>, signal: AbortSignal): Promise<void> {
  const queue = new PQueue({ concurrency: each.atOnce });
  const busy = new Set<string>();
  while (!signal.aborted) {
    try {
      for (const item of await each.list()) {
        const id = each.idOf(item);
        if (busy.has(id) || !each.hasWork(item)) continue;
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
