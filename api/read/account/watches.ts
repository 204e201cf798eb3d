/** Addresses that users watch, and the progress of their notifications. @source docs/identity.md#watch-list */
import { randomBytes } from 'node:crypto';
import PQueue from 'p-queue';
import { groupBy } from '#runtime/lists.ts';
import type { ServiceKey } from '#runtime/service-key.ts';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { AddressSets } from '../deposits/address-sets.ts';
import { countNetworkPlaces, hashNetwork } from './network-share.ts';
import { healthyReceiver, parseReceiver, type ReceiverState, writeReceiver } from './webhook.ts';

export const maxWatchesOfOwner = 10;
export const maxWatchedAddresses = 500;

export interface WatchProgress extends ReceiverState {
  /** Id of the last processed event. */
  readonly position: string;
  readonly delivered: number;
  /** Unix ms; 0: never. */
  readonly deliveredMs: number;
}

export interface Watch {
  readonly id: string;
  readonly owner: string;
  /** Keyed hash of the creator's network; empty: private or unknown. */
  readonly network: string;
  readonly name: string;
  readonly url: string;
  readonly createdMs: number;
  readonly progress: WatchProgress;
  /** Version of the stored progress. */
  readonly version: number;
}

interface NewWatch {
  readonly name: string;
  readonly url: string;
  readonly addresses: readonly string[];
}

export class Watches {
  readonly #creating = new PQueue({ concurrency: 1 });
  readonly database: Database;
  readonly addressSets: AddressSets;
  readonly maxWatches: number;
  readonly #serviceKey: ServiceKey;

  /** @param maxWatches maximum of all identities together */
  constructor(database: Database, addressSets: AddressSets, serviceKey: ServiceKey, maxWatches: number) {
    this.database = database;
    this.addressSets = addressSets;
    this.maxWatches = maxWatches;
    this.#serviceKey = serviceKey;
  }

  /** Returns the watches of an identity, or of all, oldest first. */
  async list(owner = ''): Promise<Watch[]> {
    return (await this.database.read('watches', { owner })).map(parseWatch);
  }

  /** @throws ApiProblem not_found */
  async require(owner: string, id: string): Promise<Watch> {
    const watch = (await this.list(owner)).find((one) => one.id === id);
    if (!watch) throw new ApiProblem('not_found', `you have no watch with id ${id}`);
    return watch;
  }

  async addresses(ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.read('watched_addresses', { watch_ids: [...ids] });
    const bySet = groupBy(rows, ({ set_id }) => set_id);
    return new Map([...bySet].map(([id, members]) => [id, members.map(({ address_hex }) => address_hex)]));
  }

  /**
   * @param address IP address of the creator
   * @param position id of the event after which notifications start
   * @throws ApiProblem bad_query or rate_limited if there are too many watches
   */
  create(owner: string, address: string, given: NewWatch, position: string): Promise<Watch> {
    // one at a time: concurrent requests could exceed the limits together
    return this.#creating.add(() => this.#create(owner, address, given, position));
  }

  async #create(owner: string, address: string, given: NewWatch, position: string): Promise<Watch> {
    const network = hashNetwork(this.#serviceKey, address);
    const all = await this.list();
    const maxOfNetwork = countNetworkPlaces(this.maxWatches, maxWatchesOfOwner);
    if (all.filter((one) => one.owner === owner).length >= maxWatchesOfOwner)
      throw new ApiProblem('bad_query', `an identity may have at most ${maxWatchesOfOwner} watches: delete one first`);
    if (network !== '' && all.filter((one) => one.network === network).length >= maxOfNetwork)
      throw new ApiProblem('rate_limited', `a network may have at most ${maxOfNetwork} watches: delete one first`);
    if (all.length >= this.maxWatches)
      throw new ApiProblem('rate_limited', `this service accepts at most ${this.maxWatches} watches: try again later`);
    const { name, url, addresses } = given;
    const created = Date.now();
    const progress = { ...freshProgress, position };
    const watch: Watch = {
      id: randomBytes(16).toString('hex'),
      owner,
      network,
      name,
      url,
      createdMs: created,
      progress,
      version: 0,
    };
    await this.addressSets.addMembers(watch.id, addresses);
    await this.changeProgress(watch, progress);
    await this.#write(watch, 0);
    return watch;
  }

  async remove(watch: Watch): Promise<void> {
    // first, so that a repeated request finishes a failed one; a nightly job deletes the addresses
    await this.addressSets.remove({ id: watch.id, createdMs: watch.createdMs, usedMs: 0 });
    await this.#write(watch, 1);
  }

  /** Returns the version of the stored progress; undefined if the watch was removed. */
  async version({ owner, id }: Watch): Promise<number | undefined> {
    return (await this.list(owner)).find((one) => one.id === id)?.version;
  }

  /** Saves a change by the owner, such as a replay. It overrides progress that a delivery saves at the same time. */
  changeProgress(watch: Watch, progress: WatchProgress): Promise<Watch> {
    return this.#writeProgress(watch, progress, Math.max(Date.now(), watch.version + 1));
  }

  /** Saves the progress of a delivery. Has no effect if the owner changed the watch meanwhile. */
  saveProgress(watch: Watch, progress: WatchProgress): Promise<Watch> {
    return this.#writeProgress(watch, progress, watch.version + 1);
  }

  async #writeProgress(watch: Watch, progress: WatchProgress, version: number): Promise<Watch> {
    const w = new RowWriter(512);
    w.text(watch.id);
    w.text(progress.position);
    w.uint64(progress.delivered);
    w.uint64(progress.deliveredMs);
    writeReceiver(w, progress);
    w.uint64(version);
    await this.database.insertRowBinary('watch_progress', w.view());
    return { ...watch, progress, version };
  }

  /** Returns the secret that signs notifications. @source Standard Webhooks */
  secret(id: string): string {
    return `whsec_${this.#serviceKey.derive(`webhook ${id}`).toString('base64')}`;
  }

  async #write({ id, owner, name, url, createdMs, network }: Watch, isRemoved: number): Promise<void> {
    const w = new RowWriter(1_024);
    for (const text of [id, owner, name, url]) w.text(text);
    w.uint64(createdMs);
    w.uint8(isRemoved);
    w.uint64(Math.max(Date.now(), createdMs + isRemoved));
    w.text(network);
    await this.database.insertRowBinary('watches', w.view());
  }
}

export const freshProgress: Omit<WatchProgress, 'position'> = {
  delivered: 0,
  deliveredMs: 0,
  ...healthyReceiver,
};

function parseWatch(row: RowOf<'watches'>): Watch {
  const { id, owner, network, name, url } = row;
  return {
    ...{ id, owner, network, name, url },
    createdMs: Number(row.created_ms),
    version: Number(row.version),
    progress: {
      position: row.position,
      delivered: Number(row.delivered),
      deliveredMs: Number(row.delivered_ms),
      ...parseReceiver(row),
    },
  };
}
