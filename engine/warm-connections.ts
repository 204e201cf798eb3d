/**
 * Pool of open connections, because opening one takes about 2 ms. A plain SELECT can reuse a connection, because its
 * settings do not change the connection.
 */
export class WarmConnections {
  readonly #idle = new Map<string, unknown[]>();
  readonly open: (database: string) => Promise<unknown>;
  readonly close: (connection: unknown) => void;
  readonly keep: number;

  constructor(open: (database: string) => Promise<unknown>, close: (connection: unknown) => void, keep: number) {
    this.open = open;
    this.close = close;
    this.keep = keep;
  }

  async with<T>(database: string, work: (connection: unknown) => Promise<T>): Promise<T> {
    const connection = this.#idle.get(database)?.pop() ?? (await this.open(database));
    let isSound = false;
    try {
      const result = await work(connection);
      isSound = true;
      return result;
    } finally {
      if (!isSound || !this.#release(database, connection)) this.close(connection);
    }
  }

  closeAll(): void {
    for (const connections of this.#idle.values()) for (const connection of connections) this.close(connection);
    this.#idle.clear();
  }

  #release(database: string, connection: unknown): boolean {
    const idle = this.#idle.get(database) ?? [];
    if (idle.length >= this.keep) return false;
    this.#idle.set(database, [...idle, connection]);
    return true;
  }
}
