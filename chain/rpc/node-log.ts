/** Logs once when a node fails, and once when it works again. */
import type { Log } from '#runtime/log.ts';
import type { Endpoint } from './endpoint.ts';

/** How long a node must fail before this is logged, ms. */
const afterMs = 10_000;

export class NodeLog {
  /** Since when nodes fail, performance.now(). */
  readonly #since = new Map<Endpoint, number>();
  readonly #logged = new Set<Endpoint>();
  #isSocketLost = false;
  readonly #log: Log | undefined;

  constructor(log: Log | undefined) {
    this.#log = log;
  }

  note(endpoints: readonly Endpoint[]): void {
    for (const endpoint of endpoints) {
      const { healthy, lastFault, name } = endpoint.health;
      if (healthy) {
        if (this.#logged.delete(endpoint)) this.#log?.info({ event: 'node_works', node: name }, 'the node works again');
        this.#since.delete(endpoint);
        continue;
      }
      const since = this.#since.get(endpoint) ?? performance.now();
      this.#since.set(endpoint, since);
      if (performance.now() - since < afterMs || this.#logged.has(endpoint)) continue;
      this.#logged.add(endpoint);
      this.#log?.warn(
        { event: 'node_fails', node: name, fault: lastFault },
        'the node is asked less often until it works',
      );
    }
  }

  noteSocketError(error: Error): void {
    if (!this.#isSocketLost)
      this.#log?.warn(
        { event: 'node_socket_lost', error: error.message },
        'the service polls for new blocks meanwhile',
      );
    this.#isSocketLost = true;
  }

  noteSocketHead(): void {
    if (this.#isSocketLost) this.#log?.info({ event: 'node_socket_works' }, 'the WebSocket reports new blocks again');
    this.#isSocketLost = false;
  }
}
