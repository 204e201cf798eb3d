/** Maximum unsent bytes of events per WebSocket client. */
const maxOfClient = 4 * 1024 * 1024;
/** The same of all clients together. */
const maxTotal = 512 * 1024 * 1024;
/** Unsent bytes that a client may have while all together have too many: those of a client that reads. */
const shareOfClient = 64 * 1024;

/** Bytes of events that wait for the WebSocket clients of an edge. */
export class UnsentEvents {
  #bytes = 0;
  readonly maxTotal: number;

  constructor(most = maxTotal) {
    this.maxTotal = most;
  }

  /** @param ofClient unsent bytes of events of one client. @returns whether the client must be disconnected */
  areTooMany(ofClient: number): boolean {
    return ofClient > (this.#bytes > this.maxTotal ? shareOfClient : maxOfClient);
  }

  /** Counts an event. @returns function to call when it was sent, or the client is gone */
  add(bytes: number): () => void {
    this.#bytes += bytes;
    return () => {
      this.#bytes -= bytes;
    };
  }
}
