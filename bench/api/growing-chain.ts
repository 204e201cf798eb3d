import { ChainStateStore, undoubted } from '#pipeline/store/chain-state-store.ts';
import type { Database } from '#sql/client.ts';
import { closeRollups, fillChain, transactionsPerBlock } from './fill-chain.ts';

/** Blocks after the last complete rollup window (2,000 blocks whose figures are stored as totals). */
export const openBlocks = 999;
const [unfinalizedBlocks, finalizedAtOnce] = [32, 16];

export class GrowingChain {
  readonly database: Database;
  readonly store: ChainStateStore;
  #filled = 0;

  private constructor(database: Database) {
    this.database = database;
    this.store = new ChainStateStore({ database });
  }

  static async open(database: Database): Promise<GrowingChain> {
    const chain = new GrowingChain(database);
    if (await chain.store.load()) {
      chain.#filled = (chain.head + 1) * transactionsPerBlock;
      return chain;
    }
    const marks = { startBlock: 0, rollupThrough: 0, hourThrough: 0, dayThrough: 0, droppedThrough: 0, ...undoubted };
    await chain.store.init({
      ...marks,
      quarantined: [],
      repairs: [],
      reorgGeneration: 1,
      chainHead: 0,
      backfilledBefore: 0,
      followFrom: 0,
      finalized: 0,
      head: 0,
      headHash: `0x${'0'.repeat(64)}`,
    });
    return chain;
  }

  get head(): number {
    return this.store.state.head;
  }

  get filled(): number {
    return this.#filled;
  }

  /** Fills the chain up to a number of transactions. @param isLast leaves the newest blocks unfinalized */
  async grow(target: number, isLast: boolean): Promise<void> {
    const head = target / transactionsPerBlock - 1;
    const finalized = isLast ? head - unfinalizedBlocks : head;
    // store the unfinalized blocks again, because this call finalizes them
    const from = Math.min(this.#filled, (this.store.state.finalized + 1) * transactionsPerBlock);
    await fillChain(this.database, from, target, finalized + 1);
    this.#filled = target;
    await this.store.publish({
      backfilledBefore: finalized + 1,
      followFrom: finalized + 1,
      finalized,
      head,
      chainHead: head,
    });
  }

  close(): Promise<void> {
    return closeRollups(this.database, this.store);
  }

  async addBlock(): Promise<void> {
    const head = this.head + 1;
    await fillChain(this.database, head * transactionsPerBlock, (head + 1) * transactionsPerBlock, head);
    this.#filled = (head + 1) * transactionsPerBlock;
    const headHash = `0x${head.toString(16).padStart(64, '0')}`;
    await this.store.publish({ head, headHash, chainHead: head });
    if (head - this.store.state.finalized >= unfinalizedBlocks + finalizedAtOnce) await this.#finalize();
  }

  async #finalize(): Promise<void> {
    const { finalized } = this.store.state;
    const through = finalized + finalizedAtOnce;
    const [from, to] = [(finalized + 1) * transactionsPerBlock, (through + 1) * transactionsPerBlock];
    await fillChain(this.database, from, to, through + 1);
    await this.store.publish({ finalized: through, droppedThrough: through });
    const partitions = await this.database.read('unfinalized_partitions');
    for (const { table, block_number } of partitions)
      if (Number(block_number) <= through)
        await this.database.command(`ALTER TABLE ${table} DROP PARTITION (0, ${block_number})`);
  }
}
