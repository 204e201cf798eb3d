import { GroupedQueue } from './grouped-queue.ts';
import { pause } from './shutdown.ts';

export interface Advanced<T> {
  readonly list: () => Promise<readonly T[]>;
  readonly getId: (item: T) => string;
  /** Group of an item, such as its owner. No group may take all places. */
  readonly getGroup: (item: T) => string;
  readonly hasWork: (item: T) => boolean;
  /** Must not throw. */
  readonly advance: (item: T) => Promise<void>;
  readonly onListError: (error: unknown) => void;
  readonly atOnce: number;
  /** Maximum items of one group processed at once. */
  readonly atOncePerGroup: number;
  /** Pause before the list is read again, ms. */
  readonly everyMs: number;
}

/** Processes the items of a list repeatedly until the signal aborts. Slow items delay only their group. */
export async function advanceEach<T>(each: Advanced<T>, signal: AbortSignal): Promise<void> {
  const queue = new GroupedQueue(each.atOnce, each.atOncePerGroup);
  const busy = new Set<string>();
  while (!signal.aborted) {
    try {
      const earlier = new Set(busy); // the list may show these as they were before their work ended
      for (const item of await each.list()) {
        const id = each.getId(item);
        if (earlier.has(id) || busy.has(id) || !each.hasWork(item)) continue;
        busy.add(id);
        void queue.add(each.getGroup(item), () => each.advance(item)).finally(() => busy.delete(id));
      }
    } catch (error) {
      if (!signal.aborted) each.onListError(error);
    }
    await pause(each.everyMs, signal);
  }
  await queue.onIdle();
}
