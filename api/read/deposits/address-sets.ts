/** Sets of addresses whose deposits clients watch. @source docs/deposits.md#or-write-your-own */
import { randomBytes } from 'node:crypto';
import { hexDigits } from '#chain/codec/hex.ts';
import { splitIntoChunks } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { ApiProblem } from '../../terms/errors.ts';

export interface AddressSet {
  readonly id: string;
  readonly createdMs: number;
  readonly usedMs: number;
}

/** Sets may expire after this time without use. */
export const unusedMs = 24 * 3_600_000;
const addressesPerStatement = 2_500;
/** The last use is stored at most once per this interval, so the stored time can be this old. */
export const useWriteIntervalMs = 3_600_000;

export class AddressSets {
  readonly database: Database;
  readonly maxMembers: number;
  constructor(database: Database, maxMembers: number) {
    this.database = database;
    this.maxMembers = maxMembers;
  }

  async create(addresses: readonly string[]): Promise<AddressSet> {
    const id = randomBytes(16).toString('hex');
    const now = Date.now();
    await this.#writeMembers(id, addresses, [], now);
    await this.#writeSet(id, now, now);
    return { id, createdMs: now, usedMs: now };
  }

  async require(id: string): Promise<AddressSet> {
    const [row] = await this.database.read('address_set', { id });
    const [createdMs, usedMs] = [Number(row?.created_ms ?? 0), Number(row?.used_ms ?? 0)];
    if (!row || Date.now() - usedMs > unusedMs + useWriteIntervalMs)
      throw new ApiProblem('not_found', 'no such address set; sets are removed after one day without use');
    if (Date.now() - usedMs > useWriteIntervalMs) await this.#writeSet(id, createdMs, Date.now());
    return { id, createdMs, usedMs };
  }

  /**
   * Adds and removes addresses. An address on both lists becomes a member.
   * @param accept called before the change is stored; throws to refuse it
   * @returns when the change took effect, Unix ms
   * @throws ApiProblem bad_query if the set would have too many members
   */
  async change(
    set: AddressSet,
    add: readonly string[],
    remove: readonly string[],
    accept: (added: readonly string[]) => Promise<void> = async () => undefined,
  ): Promise<number> {
    const added = [...new Set(add)];
    const kept = new Set(added);
    const removed = [...new Set(remove)].filter((address) => !kept.has(address));
    const [size, present, presentRemoved] = await Promise.all([
      this.size(set),
      this.#members(set.id, added),
      this.#members(set.id, removed),
    ]);
    this.assertSize(size + added.length - present.members - presentRemoved.members);
    await accept([...added, ...removed]); // a removal is stored as a row too
    // must exceed the stored version, even if the clock of its writer is ahead
    const version = Math.max(Date.now(), present.newest + 1, presentRemoved.newest + 1);
    await this.#writeMembers(set.id, added, removed, version);
    return version;
  }

  /** Counts the members among these addresses and reads the newest version of their rows. */
  async #members(id: string, addresses: readonly string[]): Promise<{ members: number; newest: number }> {
    let [members, newest] = [0, 0];
    for (const some of splitIntoChunks(addresses, addressesPerStatement)) {
      const row = await this.database.readOne('members_of_set', { set_id: id, addresses: some.map(hexDigits) });
      members += Number(row.members);
      newest = Math.max(newest, Number(row.newest));
    }
    return { members, newest };
  }

  /** Returns at most `limit` addresses, sorted. */
  async addresses({ id }: AddressSet, limit: number): Promise<string[]> {
    const rows = await this.database.read('address_set_addresses', { id, limit });
    return rows.map(({ address_hex }) => `0x${address_hex}`);
  }

  async size({ id }: AddressSet): Promise<number> {
    return Number((await this.database.readOne('address_set_size', { id })).members);
  }

  async remove({ id, createdMs, usedMs }: AddressSet): Promise<void> {
    await this.#writeSet(id, createdMs, usedMs, 1);
  }

  assertSize(members: number): void {
    if (members > this.maxMembers)
      throw new ApiProblem(
        'bad_query',
        `a set may have at most ${this.maxMembers} addresses, this one would have ${members}`,
      );
  }

  async #writeSet(id: string, createdMs: number, usedMs: number, isRemoved = 0): Promise<void> {
    const w = new RowWriter(128);
    w.text(id);
    w.uint64(createdMs);
    w.uint64(usedMs);
    w.uint8(isRemoved);
    w.uint64(Math.max(Date.now(), usedMs + isRemoved)); // a removal is newer than the last use
    await this.database.insertRowBinary('address_sets', w.view());
  }

  /** Adds members to a set without a row in address_sets, such as the addresses of a watch. */
  addMembers(id: string, addresses: readonly string[]): Promise<void> {
    return this.#writeMembers(id, addresses, [], Date.now());
  }

  async #writeMembers(id: string, add: readonly string[], remove: readonly string[], version: number): Promise<void> {
    for (const [addresses, isMember] of [[remove, 0] as const, [add, 1] as const])
      for (const some of splitIntoChunks(addresses, addressesPerStatement)) {
        const w = new RowWriter(some.length * 64);
        for (const address of some) {
          w.text(id);
          w.fixed(address, 20);
          w.uint8(isMember);
          w.uint64(version + isMember); // newer than the removal of the same address
        }
        await this.database.insertRowBinary('address_set_members', w.view());
      }
  }
}
