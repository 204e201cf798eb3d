/**
 * One consistent view a request. A request reads the state, then rows by it, then the state again: if a reorg or a
 * repair came between, or unsettled rows that it may have read were dropped, it starts over.
 */
import type { Database } from '#sql/client.ts';
import { type ChainState, readChainState } from '#sql/snapshot.ts';
import type { Statements } from '#sql/statements.ts';
import { ApiProblem } from './errors.ts';

const maxTries = 8;

export class SnapshotReader {
  #running: Promise<ChainState | undefined> | undefined;
  #next: Promise<ChainState | undefined> | undefined;

  constructor(
    readonly database: Database,
    readonly statements: Statements,
  ) {}

  /** The state now; calls that come while one is read share it. */
  current(): Promise<ChainState | undefined> {
    this.#running ??= readChainState(this.database, this.statements).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /**
   * Runs `read` against one state; its result is of that state alone.
   * @throws ApiProblem indexing before the first start, store_unavailable when the chain does not hold still
   */
  async run<T>(read: (state: ChainState) => Promise<T>): Promise<T> {
    for (let attempt = 0; attempt < maxTries; attempt++) {
      const before = await this.current();
      if (!before) throw new ApiProblem('indexing', 'nothing is indexed yet');
      const result = await read(before);
      const after = await this.#fresh();
      if (after && after.epoch === before.epoch && after.droppedThrough <= before.finalized) return result;
    }
    throw new ApiProblem('store_unavailable', 'the chain is being reorganised, try again');
  }

  /** A read that begins after this call; calls that come while one is awaited share the next. */
  #fresh(): Promise<ChainState | undefined> {
    if (!this.#running) return this.current();
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.current();
      });
    return this.#next;
  }
}
