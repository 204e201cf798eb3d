/** Maximum unsent event bytes per WebSocket client. */
const maxOfClient = 4 * 1024 * 1024;
/** Maximum unsent event bytes of all clients together. */
const maxTotal = 512 * 1024 * 1024;
/** Unsent bytes accepted from one client while the total is over `maxTotal`. A client that reads stays below. */
const shareOfClient = 64 * 1024;

/** Counts unsent event bytes of the WebSocket clients of an edge. */
export class UnsentEvents {
  #bytes = 0;
  readonly maxTotal: number;

  constructor(most = maxTotal) {
    this.maxTotal = most;
  }

  /** @param ofClient unsent event bytes of one client. @returns whether to disconnect the client */
  areTooMany(ofClient: number): boolean {
    return ofClient > (this.#bytes > this.maxTotal ? shareOfClient : maxOfClient);
  }

  /** Counts an event. @returns a function to call when the event was sent or the client has disconnected */
  add(bytes: number): () => void {
    this.#bytes += bytes;
    return () => {
      this.#bytes -= bytes;
    };
  }
}
