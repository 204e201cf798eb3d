import type { Topic, UpstreamEvents } from './upstream-events.ts';

export interface Listener {
  notify(topic: Topic, text: string, value: unknown): void;
  /** Disconnects the client, because events of a topic can't be sent any more. */
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

  /** Enters a client again that has joined the topic, but may have left it since. */
  enter(topic: Topic, client: Listener): void {
    this.#clients.get(topic)?.add(client);
  }

  leave(topic: Topic, client: Listener): void {
    this.#clients.get(topic)?.delete(client);
  }
}
