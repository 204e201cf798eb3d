/** Sets of addresses that are watched together. @source conventions M4 */
import { randomBytes } from 'node:crypto';
import { hexDigits } from '#chain/codec/hex.ts';
import { chunksOf } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { ApiProblem } from '../../terms/errors.ts';

export interface AddressSet {
  readonly id: string;
  readonly createdMs: number;
  readonly usedMs: number;
}

/** A set that nobody asked for in this time is gone, ms. */
export const unusedMs = 24 * 3_600_000;
/** Addresses that one statement looks for among the members, or writes. */
const addressesAtOnce = 10_000;
/** The time of use is written when it has moved by this, ms. */
const useStepMs = 3_600_000;

export class AddressSets {
  readonly database: Database;
  /** Most members of a set. */
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

  /** @throws ApiProblem not_found for a set that is not there, or has not been used for a day */
  async require(id: string): Promise<AddressSet> {
    const [row] = await this.database.read('address_set', { id });
    const [createdMs, usedMs] = [Number(row?.created_ms ?? 0), Number(row?.used_ms ?? 0)];
    if (!row || Date.now() - usedMs > unusedMs)
      throw new ApiProblem('not_found', 'there is no such address set; sets that are not used for a day are removed');
    if (Date.now() - usedMs > useStepMs) await this.#writeSet(id, createdMs, Date.now());
    return { id, createdMs, usedMs };
  }

  /**
   * Adds and takes out members; an address on both lists is a member afterwards. Members that are added again count once.
   * @returns when the added ones became members, Unix milliseconds
   * @throws ApiProblem bad_query where it would have too many members
   */
  async change(set: AddressSet, add: readonly string[], remove: readonly string[]): Promise<number> {
    const added = [...new Set(add)];
    const kept = new Set(added);
    const gone = [...new Set(remove)].filter((address) => !kept.has(address));
    const [size, present, leaving] = await Promise.all([
      this.size(set),
      this.#members(set.id, added),
      this.#members(set.id, gone),
    ]);
    this.assertSize(size + added.length - present - leaving);
    const version = Date.now();
    await this.#writeMembers(set.id, added, gone, version);
    return version;
  }

  /** How many of some addresses are members. */
  async #members(id: string, addresses: readonly string[]): Promise<number> {
    let members = 0;
    for (const some of chunksOf(addresses, addressesAtOnce)) {
      const row = await this.database.readOne('members_of_set', { set_id: id, addresses: some.map(hexDigits) });
      members += Number(row.members);
    }
    return members;
  }

  /** Members of the set. */
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
        `a set has at most ${this.maxMembers} addresses here, this one would have ${members}`,
      );
  }

  async #writeSet(id: string, createdMs: number, usedMs: number, isRemoved = 0): Promise<void> {
    const w = new RowWriter(128);
    w.text(id);
    w.uint64(createdMs);
    w.uint64(usedMs);
    w.uint8(isRemoved);
    w.uint64(Date.now());
    await this.database.insertRowBinary('address_sets', w.view());
  }

  async #writeMembers(id: string, add: readonly string[], remove: readonly string[], version: number): Promise<void> {
    for (const [addresses, isMember] of [[remove, 0] as const, [add, 1] as const])
      for (const some of chunksOf(addresses, addressesAtOnce)) {
        const w = new RowWriter(some.length * 64);
        for (const address of some) {
          w.text(id);
          w.fixed(address, 20);
          w.uint8(isMember);
          w.uint64(version + isMember); // an address on both lists is a member
        }
        await this.database.insertRowBinary('address_set_members', w.view());
      }
  }
}
