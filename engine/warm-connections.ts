/**
 * Connections of the native engine that have run nothing but SELECTs, kept by database for the next one: the first query
 * of a new connection takes about 2 ms longer. A SELECT carries its settings in its own text and leaves nothing behind;
 * a connection that saw a failure is never used again.
 */
export class WarmConnections {
  readonly #idle = new Map<string, unknown[]>();
  readonly open: (database: string) => Promise<unknown>;
  readonly close: (connection: unknown) => void;
  readonly keep: number;

  /** @param open gives a new connection that uses the database @param keep idle ones per database, at most */
  constructor(open: (database: string) => Promise<unknown>, close: (connection: unknown) => void, keep: number) {
    this.open = open;
    this.close = close;
    this.keep = keep;
  }

  /** Runs `work` on a connection that nobody else uses meanwhile. */
  async with<T>(database: string, work: (connection: unknown) => Promise<T>): Promise<T> {
    const connection = this.#idle.get(database)?.pop() ?? (await this.open(database));
    let isSound = false;
    try {
      const result = await work(connection);
      isSound = true;
      return result;
    } finally {
      if (!isSound || !this.#park(database, connection)) this.close(connection);
    }
  }

  closeAll(): void {
    for (const connections of this.#idle.values()) for (const connection of connections) this.close(connection);
    this.#idle.clear();
  }

  #park(database: string, connection: unknown): boolean {
    const idle = this.#idle.get(database) ?? [];
    if (idle.length >= this.keep) return false;
    this.#idle.set(database, [...idle, connection]);
    return true;
  }
}
