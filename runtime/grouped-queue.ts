import PQueue from 'p-queue';

/** Queue in which no group, such as one caller's work, takes all places. */
export class GroupedQueue {
  readonly #all: PQueue;
  readonly #groups = new Map<string, PQueue>();
  readonly perGroup: number;

  constructor(atOnce: number, perGroup: number) {
    this.#all = new PQueue({ concurrency: atOnce });
    this.perGroup = perGroup;
  }

  async add<T>(name: string, work: () => Promise<T>): Promise<T> {
    const group = this.#groups.get(name) ?? new PQueue({ concurrency: this.perGroup });
    this.#groups.set(name, group);
    try {
      return await group.add(() => this.#all.add(work));
    } finally {
      if (group.size + group.pending === 0) this.#groups.delete(name);
    }
  }

  async onIdle(): Promise<void> {
    await Promise.all([...this.#groups.values()].map((group) => group.onIdle()));
  }
}
