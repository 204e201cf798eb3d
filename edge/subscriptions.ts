import type { Topic, UpstreamEvents } from './upstream-events.ts';

export interface Listener {
  notify(topic: Topic, text: string, value: unknown): void;
  /** Disconnects the client when no more events of a topic can be sent. */
  end(): void;
}

export class Subscriptions {
  readonly #clients = new Map<Topic, Set<Listener>>();
  readonly events: UpstreamEvents;

  constructor(events: UpstreamEvents) {
    this.events = events;
  }

  async join(topic: Topic, client: Listener): Promise<void> {
    const clients = this.#clients.get(topic) ?? new Set();
    this.#clients.set(topic, clients);
    await this.events.listen(topic, {
      onEvent: (text, value) => {
        for (const each of clients) each.notify(topic, text, value);
      },
      isUsed: () => clients.size > 0,
      onRefused: () => {
        for (const each of clients) each.end();
      },
    });
    clients.add(client);
  }

  /** Adds a client to the topic again, because it may have left after it joined. */
  enter(topic: Topic, client: Listener): void {
    this.#clients.get(topic)?.add(client);
  }

  leave(topic: Topic, client: Listener): void {
    this.#clients.get(topic)?.delete(client);
  }
}
