/** Private names that identities give to addresses. @source docs/identity.md#private-tags */
import PQueue from 'p-queue';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { ApiProblem } from '../../terms/errors.ts';

export interface PrivateTag {
  readonly address: string;
  readonly tag: string;
  readonly note: string;
}

export const maxTags = 1_000;

export class PrivateTags {
  readonly #changing = new PQueue({ concurrency: 1 });
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  async list(owner: string): Promise<PrivateTag[]> {
    return (await this.#read(owner)).map(({ address, tag, note }) => ({ address, tag, note }));
  }

  /** Adds or changes a tag. @throws ApiProblem bad_query above `maxTags` tags */
  set(owner: string, tag: PrivateTag): Promise<void> {
    // one at a time: concurrent requests could exceed the limit together
    return this.#changing.add(() => this.#set(owner, tag));
  }

  async #set(owner: string, { address, tag, note }: PrivateTag): Promise<void> {
    const tags = await this.#read(owner);
    const before = tags.find((one) => one.address === address);
    if (!before && tags.length >= maxTags)
      throw new ApiProblem('bad_query', `an identity may have at most ${maxTags} private tags: remove one first`);
    await this.#write(owner, { address, tag, note }, before?.version ?? 0, 0);
  }

  /** @throws ApiProblem not_found */
  async remove(owner: string, address: string): Promise<void> {
    const before = (await this.#read(owner)).find((one) => one.address === address);
    if (!before) throw new ApiProblem('not_found', `you have no private tag of ${address}`);
    await this.#write(owner, { address, tag: '', note: '' }, before.version, 1);
  }

  async #read(owner: string) {
    const rows = await this.database.read('private_tags', { owner });
    return rows.map(({ address_hex, tag, note, version }) => ({
      address: address_hex,
      tag,
      note,
      version: Number(version),
    }));
  }

  /** @param version version of the stored row; the new version must be higher even if clocks differ */
  async #write(owner: string, { address, tag, note }: PrivateTag, version: number, isRemoved: number): Promise<void> {
    const w = new RowWriter(1_024);
    w.text(owner);
    w.fixed(address, 20);
    w.text(tag);
    w.text(note);
    w.uint8(isRemoved);
    w.uint64(Math.max(Date.now(), version + 1));
    await this.database.insertRowBinary('private_tags', w.view());
  }
}
