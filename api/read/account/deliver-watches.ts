/**
 * Sends the events of each watch to its webhook in order, at least once. Retries a failed event at growing intervals,
 * without delaying other watches.
 */
import { advanceEach } from '#runtime/advance-each.ts';
import { splitIntoChunks } from '#runtime/lists.ts';
import type { Log } from '#runtime/log.ts';
import type { OutboundNetwork } from '#runtime/outbound/outbound.ts';
import { isIndexing } from '../../terms/errors.ts';
import type { AnchorEvents } from '../deposits/anchor-events.ts';
import {
  endOfStep,
  isSeen,
  lastCompleteStep,
  parsePosition,
  positionText,
  type ReadEvents,
  type StreamEvent,
} from '../deposits/stream-event.ts';
import type { SnapshotDeps, StoreDeps } from '../reader-deps.ts';
import { watchEvents } from './watch-events.ts';
import type { Watch, Watches, WatchProgress } from './watches.ts';
import { deliver, failedReceiver, healthyReceiver } from './webhook.ts';

export interface DeliveryDeps extends StoreDeps, SnapshotDeps {
  readonly watches: Watches;
  readonly anchorEvents: AnchorEvents;
  readonly outbound: OutboundNetwork;
  readonly log: Log;
}

const deliveriesAtOnce = 8;
/** Limited per network, because a person can have many identities. */
const deliveriesPerNetwork = 2;
/** Maximum time that a watch sends before others get a turn, ms. */
const turnMs = 15_000;
/** Notifications between two saves of the progress: a crash repeats at most these. */
const eventsPerSave = 20;
/** Interval at which a watch without events saves its progress, ms. */
const saveEveryMs = 60_000;

/**
 * Sends notifications until the signal fires. Only one process may call it.
 * @param everyMs pause between two checks for events
 */
export async function deliverWatches(deps: DeliveryDeps, signal: AbortSignal, everyMs = 3_000): Promise<void> {
  const senders = new Map<string, WatchSender>();
  const list = async () => {
    const watches = await deps.watches.list();
    const ids = new Set(watches.map(({ id }) => id));
    for (const id of senders.keys()) if (!ids.has(id)) senders.delete(id);
    return watches;
  };
  const advance = (watch: Watch) => {
    const sender = senders.get(watch.id) ?? new WatchSender(deps);
    senders.set(watch.id, sender);
    return sender.send(watch, signal);
  };
  const onListError = (error: unknown) =>
    deps.log.warn({ event: 'watches_unread', error: String(error) }, 'Notifications wait: cannot read the watches');
  const hasWork = ({ progress }: Watch) => !progress.isPaused && progress.retryMs <= Date.now();
  const getId = ({ id }: Watch) => id;
  const getGroup = ({ network, owner }: Watch) => network || owner;
  const limits = { atOnce: deliveriesAtOnce, atOncePerGroup: deliveriesPerNetwork, everyMs };
  await advanceEach({ list, getId, getGroup, hasWork, advance, onListError, ...limits }, signal);
}

class WatchSender {
  readonly deps: DeliveryDeps;
  #readEvents: ReadEvents | undefined;
  /** Position after the last processed step (added or removed block). The stored position can be older. */
  #position: string | undefined;
  #storedPosition: string | undefined;
  #savedAt = Date.now();
  /** End of the current turn, performance.now(); undefined until its first events are read. */
  #endOfTurn: number | undefined;

  constructor(deps: DeliveryDeps) {
    this.deps = deps;
  }

  async send(watch: Watch, signal: AbortSignal): Promise<void> {
    if (watch.progress.position !== this.#storedPosition) this.#restart(watch.progress.position);
    try {
      await this.#sendAll(watch, signal);
    } catch (error) {
      this.#restart(undefined);
      if (signal.aborted || isIndexing(error)) return; // the next turn tries again
      this.deps.log.warn(
        { event: 'watch_failed', watch: watch.id, error: String(error) },
        'Cannot read the events of a watch; retrying',
      );
    }
  }

  /** Sends events until none are left, the receiver fails, or the turn ends. */
  async #sendAll(stored: Watch, signal: AbortSignal): Promise<void> {
    this.#endOfTurn = undefined;
    let watch: Watch | undefined = stored;
    do watch = await this.#sendNext(watch, signal);
    while (watch && !signal.aborted && performance.now() < (this.#endOfTurn ?? 0));
  }

  /** @returns undefined for a watch whose removal failed halfway: it has no addresses, and its owner removes it again */
  async #openEvents({ id }: Watch): Promise<ReadEvents | undefined> {
    if (this.#readEvents) return this.#readEvents;
    const watched = (await this.deps.watches.addresses([id])).get(id);
    if (watched) this.#readEvents = watchEvents(this.deps, id, new Set(watched));
    return this.#readEvents;
  }

  /** @returns the updated watch; undefined if the turn ends here */
  async #sendNext(stored: Watch, signal: AbortSignal): Promise<Watch | undefined> {
    const { anchorEvents } = this.deps;
    let watch = stored;
    const newest = await anchorEvents.last();
    const position = this.#readPosition(watch, newest);
    const steps = await anchorEvents.after(lastCompleteStep(position));
    if (steps.length === 0) return undefined;
    const readEvents = await this.#openEvents(watch);
    if (!readEvents) return undefined;
    const made = await readEvents(steps);
    const events = made.events.filter(({ id }) => !isSeen(id, position));
    this.#endOfTurn ??= performance.now() + turnMs; // after the first read, which can be slow
    for (const part of splitIntoChunks(events, eventsPerSave)) {
      if (signal.aborted) return undefined;
      const sent = await this.#sendSome(watch, part, signal, this.#endOfTurn);
      if (!sent || sent.progress.attempts > 0) return undefined;
      watch = sent;
      if (watch.progress.position !== part.at(-1)?.id || performance.now() > this.#endOfTurn) {
        this.#restart(watch.progress.position); // the next turn continues there
        return undefined;
      }
    }
    if (signal.aborted) return undefined;
    this.#position = positionText(endOfStep(made.through));
    if (events.length === 0 && Date.now() - this.#savedAt <= saveEveryMs) return watch;
    return this.#save(watch, { ...watch.progress, position: this.#position });
  }

  /** A position above `newest` comes from another chain's data: returns `newest` then. */
  #readPosition(watch: Watch, newest: number) {
    const text = this.#position ?? watch.progress.position;
    return Number(text.split('-')[0]) > newest ? endOfStep(newest) : parsePosition(text, newest, 'position');
  }

  /**
   * Sends events until one fails or the turn ends.
   * @returns the updated watch; undefined if its owner changed the watch during the delivery
   */
  async #sendSome(
    watch: Watch,
    events: readonly StreamEvent[],
    signal: AbortSignal,
    endOfTurn: number,
  ): Promise<Watch | undefined> {
    const { watches, outbound } = this.deps;
    if (!(await this.#isCurrent(watch))) return undefined;
    let progress: WatchProgress = watch.progress;
    for (const event of events) {
      // sends at least one event per read, else the same read would repeat forever
      const hasSent = progress !== watch.progress;
      if (signal.aborted || (hasSent && performance.now() > endOfTurn)) break;
      try {
        await deliver(
          { url: watch.url, source: { watch: watch.id }, secret: watches.secret(watch.id) },
          event,
          outbound,
        );
        progress = {
          ...progress,
          ...{ position: event.id, delivered: progress.delivered + 1, deliveredMs: Date.now() },
          ...healthyReceiver,
        };
      } catch (error) {
        const failed = this.#noteFailure(watch.id, progress, error);
        const saved = await this.#save(watch, failed);
        this.#restart(undefined); // the retry reads the events again, from the failed event on
        return saved;
      }
    }
    return this.#save(watch, progress);
  }

  #noteFailure(watch: string, progress: WatchProgress, error: unknown): WatchProgress {
    const failed = failedReceiver(progress, error instanceof Error ? error.message : String(error));
    const fields = { event: 'webhook_failed', watch, error: failed.lastError };
    if (failed.isPaused)
      this.deps.log.warn(fields, 'The receiver of a watch failed for three days: the watch is paused');
    else if (failed.attempts === 1)
      this.deps.log.warn(fields, 'The receiver of a watch failed: the notification is sent again later');
    return failed;
  }

  async #save(watch: Watch, progress: WatchProgress): Promise<Watch | undefined> {
    if (!(await this.#isCurrent(watch))) return undefined;
    const saved = await this.deps.watches.saveProgress(watch, progress);
    this.#storedPosition = progress.position;
    this.#savedAt = Date.now();
    return saved;
  }

  /** Returns false if the owner changed or deleted the watch. The next turn then reads its events again. */
  async #isCurrent(watch: Watch): Promise<boolean> {
    const isCurrent = (await this.deps.watches.version(watch)) === watch.version;
    if (!isCurrent) this.#restart(undefined);
    return isCurrent;
  }

  #restart(position: string | undefined): void {
    this.#readEvents = undefined;
    this.#position = undefined;
    this.#storedPosition = position;
  }
}
