/**
 * Who and what occurs in the blocks above the finalized one. Each of these blocks is a partition of its own in every table;
 * with their history in memory a look-up opens none of them. Kept from state to state: only blocks that were not read before
 * are read, unless a reorg took some away.
 */
import type { Database } from '#sql/client.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { getStatement, type Statements } from '#sql/statements.ts';
import type { HistoryRecord } from './routes/history-row.ts';

/** Rows that are kept, about 1 kB each; where there are more, the tables are asked. */
const maxRows = 50_000;

type Row = HistoryRecord & { readonly address: string };

/** History of the blocks above `floor` up to `through`. */
interface Known {
  readonly epoch: number;
  readonly floor: number;
  readonly through: number;
  /** By account, oldest first. */
  readonly history: ReadonlyMap<string, readonly HistoryRecord[]>;
  /** The block of each transaction. */
  readonly hashes: ReadonlyMap<string, number>;
  readonly rows: number;
}

const nothing: Known = { epoch: -1, floor: -1, through: -1, history: new Map(), hashes: new Map(), rows: 0 };

export class UnsettledReader {
  #known = nothing;
  #reading: Promise<void> | undefined;

  constructor(
    readonly database: Database,
    readonly statements: Statements,
  ) {}

  /** The state to look a transaction up in: without the unsettled blocks where none of them has it. */
  async stateForHash(state: ChainState, hash: string): Promise<ChainState> {
    const known = await this.#about(state);
    if (!known || (known.hashes.get(hash.toLowerCase()) ?? -1) > state.finalized) return state;
    return settledOnly(state);
  }

  /**
   * History of an account in the unsettled blocks of a state, oldest first.
   * @returns undefined where it is not kept: of a state from before a reorg, or of blocks too full
   */
  async historyOf(state: ChainState, address: string): Promise<readonly HistoryRecord[] | undefined> {
    const known = await this.#about(state);
    const rows = known?.history.get(address.toLowerCase()) ?? [];
    return known && rows.filter((row) => isBetween(row, state.finalized, state.head));
  }

  /** What is known of the unsettled blocks of that very state. */
  async #about(state: ChainState): Promise<Known | undefined> {
    while (isBehind(this.#known, state)) {
      this.#reading ??= this.#readOn(state).finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    const known = this.#known;
    const isUsable = known.epoch === state.epoch && known.floor <= state.finalized && known.rows <= maxRows;
    return isUsable ? known : undefined;
  }

  async #readOn({ epoch, finalized, head }: ChainState): Promise<void> {
    const known = this.#known.epoch === epoch && this.#known.rows <= maxRows ? this.#known : nothing;
    const parameters = { finalized: Math.max(known.through, finalized), head, limit: maxRows + 1 };
    const statement = getStatement(this.statements, 'unsettled_history');
    const rows = await this.database.readBinary<Row>(statement, parameters);
    this.#known = { ...extend(known, rows, finalized), epoch, floor: finalized, through: head };
  }
}

function isBehind(known: Known, { epoch, head }: ChainState): boolean {
  return known.epoch < epoch || (known.epoch === epoch && known.through < head);
}

/** Adds rows of later blocks, and forgets those of settled ones. */
function extend(known: Known, added: readonly Row[], finalized: number): Pick<Known, 'history' | 'hashes' | 'rows'> {
  const history = new Map<string, HistoryRecord[]>();
  for (const [address, rows] of known.history) {
    const kept = rows.filter((row) => Number(row.block_number) > finalized);
    if (kept.length > 0) history.set(address, kept);
  }
  for (const { address, ...row } of [...added].sort(inChainOrder)) {
    const rows = history.get(address) ?? [];
    const last = rows.at(-1);
    if (!last || inChainOrder(last, row) !== 0) rows.push(row);
    history.set(address, rows);
  }
  const all = [...history.values()].flat();
  return { history, hashes: new Map(all.map((row) => [row.tx_hash, Number(row.block_number)])), rows: all.length };
}

function inChainOrder(a: HistoryRecord, b: HistoryRecord): number {
  return Number(a.block_number) - Number(b.block_number) || a.tx_index - b.tx_index;
}

function isBetween({ block_number }: HistoryRecord, finalized: number, head: number): boolean {
  return Number(block_number) > finalized && Number(block_number) <= head;
}

function settledOnly(state: ChainState): ChainState {
  return { ...state, head: state.finalized };
}
