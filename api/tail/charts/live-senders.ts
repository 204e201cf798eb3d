/**
 * Returns of senders on the days that are not closed, kept in memory and grown block by block: a new head costs the reading of
 * its own senders, and of what is known of those who had not been seen since the last closed day.
 */

import { hexDigits } from '#chain/codec/hex.ts';
import { chunksOf } from '#runtime/lists.ts';
import type { Parameters } from '#sql/parameters.ts';
import { type ChainState, isWhole, snapshotParameters } from '#sql/snapshot.ts';
import type { StatementName } from '#sql/statements.gen.ts';
import { getStatement } from '#sql/statements.ts';
import { lookUpAddresses, type Source, stretchOf } from './read-span.ts';

/** How many senders sent on a day, and on that day before it. */
export interface LiveReturn {
  /** Starts of days, Unix seconds; previous is 0 where there was none. */
  readonly day: number;
  readonly previous: number;
  /** The day before was the first of all. */
  readonly wasNew: boolean;
  readonly senders: number;
}

/** Days of senders that are held, about 200 bytes each; where there are more, the engine counts. */
const mostSenderDays = 100_000;

/** A row of senders_before; days as Unix seconds. */
interface Before {
  readonly address: string;
  readonly first_known: number;
  readonly last_known: number;
}

interface Sender {
  /** Before the first day that is not closed; last_known is 0 where there was none. */
  readonly before: Omit<Before, 'address'>;
  /** Behind it. */
  readonly days: number[];
}

interface Held {
  /** The stretch that it is of. */
  readonly epoch: number;
  readonly from: number;
  readonly windowDay: number;
  /** Version of the newest state it was asked for. */
  version: number;
  through: number;
  readonly senders: Map<string, Sender>;
  senderDays: number;
  readonly returns: Map<string, LiveReturn>;
}

export class LiveSenders {
  #held: Held | undefined;
  /** The stretch that was found to have too many. */
  #tooMany = '';
  #last: Promise<unknown> = Promise.resolve();
  readonly source: Source;
  readonly most: number;

  constructor(source: Source, most = mostSenderDays) {
    this.source = source;
    this.most = most;
  }

  /**
   * Returns from a block to the head of a state.
   * @param from first block of no closed day
   * @returns undefined where they are not held: blocks are missing, senders are too many, or the state is of the past
   */
  returns(state: ChainState, from: number): Promise<readonly LiveReturn[] | undefined> {
    const next = this.#last.then(() => this.#returnsOf(state, from));
    this.#last = next.catch(() => {
      this.#held = undefined;
    });
    return next;
  }

  async #returnsOf(state: ChainState, from: number): Promise<readonly LiveReturn[] | undefined> {
    const { epoch, dayThrough: windowDay, version } = state;
    const known = this.#held;
    const isPast = version < (known?.version ?? 0);
    if (!isWhole(state) || isPast || this.#tooMany === stretchOf(state, from)) return undefined;
    const goesOn = known && known.epoch === epoch && known.from === from && known.windowDay === windowDay;
    const held = goesOn ? known : { ...nothing(), epoch, from, windowDay, version, through: from - 1 };
    if (held.through < state.head && !(await this.#readOn(held, state))) {
      this.#held = undefined;
      this.#tooMany = stretchOf(state, from);
      return undefined;
    }
    held.version = version;
    this.#held = held;
    return [...held.returns.values()];
  }

  /** @returns false where there are too many */
  async #readOn(held: Held, state: ChainState): Promise<boolean> {
    const limit = this.most - held.senderDays + 1;
    const rows = await this.#read<{ address: string; day: number }>('live_senders', {
      ...snapshotParameters(state),
      from_block: held.through + 1,
      to_block: state.head,
      limit,
    });
    if (rows.length >= limit) return false;
    const strangers = [...new Set(rows.map(({ address }) => address))].filter((one) => !held.senders.has(one));
    const before = await this.#before(strangers, held.windowDay);
    for (const address of strangers)
      held.senders.set(address, { before: before.get(address) ?? { first_known: 0, last_known: 0 }, days: [] });
    for (const { address, day } of rows.sort((a, b) => a.day - b.day)) note(held, held.senders.get(address)!, day);
    held.through = state.head;
    return true;
  }

  async #before(addresses: readonly string[], windowDay: number): Promise<Map<string, Before>> {
    const known = new Map<string, Before>();
    for (const some of chunksOf(addresses, lookUpAddresses)) {
      const parameters = { addresses: some.map(hexDigits), window_day: windowDay };
      for (const row of await this.#read<Before>('senders_before', parameters)) known.set(row.address, row);
    }
    return known;
  }

  #read<Row>(name: StatementName, parameters: Parameters): Promise<Row[]> {
    return this.source.database.readBinary<Row>(getStatement(this.source.statements, name), parameters);
  }
}

const nothing = () => ({ senders: new Map<string, Sender>(), senderDays: 0, returns: new Map<string, LiveReturn>() });

/** Adds a day of a sender, as the fragment returns_of_senders does; blocks come in their order, so days do. */
function note(held: Held, { before, days }: Sender, day: number): void {
  const last = days.at(-1);
  if (last === day) return;
  const isFirst = last === undefined;
  const previous = last ?? before.last_known;
  const wasNew = isFirst
    ? before.last_known > 0 && before.last_known === before.first_known
    : before.last_known === 0 && days.length === 1;
  days.push(day);
  held.senderDays++;
  const key = `${day} ${previous} ${wasNew}`;
  const senders = (held.returns.get(key)?.senders ?? 0) + 1;
  held.returns.set(key, { day, previous, wasNew, senders });
}
