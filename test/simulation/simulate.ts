/**
 * Random reorgs across the finalized height, endpoints on other branches, bad blocks, and kills between any two writes.
 * After every step, each reply of the service must be correct or an error.
 */

import type { DevChain } from '#devchain/devchain.ts';
import { Random } from '#devchain/random.ts';
import { rewind } from '#pipeline/store/rewind.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, isBackfilled } from '#sql/snapshot.ts';
import type { ModelTx } from '#test/helpers/chain-model.ts';
import { EventReader } from '#test/helpers/event-reader.ts';
import { type ForkView, startForkView } from '#test/helpers/fork-view.ts';
import type { MortalEngine } from '#test/helpers/mortal-engine.ts';
import { waitFor } from '#test/helpers/processes.ts';
import {
  headReader,
  type RunningApi,
  type RunningPipeline,
  startApi,
  startDevChain,
  type TestEngine,
} from '#test/helpers/service.ts';
import { spoil, startLife } from './life.ts';
import { assertRight, Look, type Tally } from './truth.ts';

const waitMs = 60_000;
/** Blocks with traffic at the start of the chain. */
const busyBlocks = 50;

type Step = 'mine' | 'reorg' | 'deepReorg' | 'fork' | 'badBlock' | 'kill';

export interface Outcome extends Tally {
  readonly steps: readonly string[];
}

/**
 * @param seeds successive runs on one chain and one database
 * @param steps per run
 * @throws WrongAnswer with the reply; Error if the service does not recover
 */
export async function simulate(engine: TestEngine, seeds: readonly number[], steps: number): Promise<Outcome> {
  const one = await Simulation.start(engine, seeds[0]!);
  try {
    for (const seed of seeds) {
      one.random = new Random(seed);
      for (let i = 0; i < steps; i++) await one.step();
    }
    await one.end();
    return { ...one.tally, steps: one.done };
  } catch (error) {
    (error as Error).message = `seeds ${seeds.join(', ')}, after ${one.done.join(', ')}: ${(error as Error).message}`;
    throw error;
  } finally {
    await one.stop();
  }
}

interface World {
  readonly engine: TestEngine;
  readonly name: string;
  readonly chain: DevChain;
  readonly views: readonly ForkView[];
  readonly database: Database;
  readonly api: RunningApi;
  readonly mayFollow: boolean;
}

class Simulation {
  readonly tally: Tally = { answered: 0, refused: 0 };
  readonly done: string[] = [];
  readonly #gone = new Map<string, ModelTx>();
  #known: ReadonlyMap<string, ModelTx> = new Map();
  #pipeline: RunningPipeline;
  #mortal: MortalEngine;
  #fork: number | undefined;
  #badBlock: number | undefined;
  readonly world: World;
  random: Random;

  private constructor(world: World, random: Random, first: { pipeline: RunningPipeline; mortal: MortalEngine }) {
    this.world = world;
    this.random = random;
    this.#pipeline = first.pipeline;
    this.#mortal = first.mortal;
  }

  static async start(engine: TestEngine, seed: number): Promise<Simulation> {
    const random = new Random(seed);
    const quiet = random.chance(0.5) ? random.between(30, 280) : 1;
    const chain = await startDevChain({
      ...{ blocks: busyBlocks + quiet + 5, seed, blockSeconds: 5, quiet: { after: busyBlocks, blocks: quiet } },
    });
    const count = random.chance(0.4) ? 2 : 1;
    const views = await Promise.all(
      Array.from({ length: count }, () =>
        startForkView({
          ...{ target: chain.rpc.url, random: new Random(seed), fault: null, share: 1 },
          budget: Number.POSITIVE_INFINITY,
        }),
      ),
    );
    const name = `simulation_${seed}`;
    const database = await engine.open(name);
    const mayFollow = count === 1 && random.chance(0.3);
    const first = await startLife(engine, name, views, mayFollow);
    await first.pipeline.caughtUp(headReader(chain), waitMs);
    const api = await startApi(database, [chain.rpc.url]);
    return new Simulation({ engine, name, chain, views, database, api, mayFollow }, random, first);
  }

  async step(): Promise<void> {
    const { views } = this.world;
    const { random } = this;
    const kinds: Step[] = ['mine', 'reorg', 'reorg', 'deepReorg', 'badBlock', 'kill', 'kill'];
    if (views.length > 1) kinds.push('fork', 'fork');
    const kind = random.pick(kinds);
    this.done.push(await this.#do(kind));
    await this.#finalize();
    await this.#look();
    await this.#mend();
  }

  async #do(kind: Step): Promise<string> {
    const { chain } = this.world;
    const { random } = this;
    const head = await headReader(chain)();
    switch (kind) {
      case 'mine':
        await chain.mineLive(random.between(1, 4));
        return kind;
      case 'reorg':
        await this.#reorg(Math.min(random.between(1, 28), head - 5));
        return kind;
      case 'deepReorg': {
        const depth = Math.min(random.between(33, 300), head - 5);
        await this.#reorg(depth);
        return `${kind} ${depth}`;
      }
      case 'fork':
        this.#fork = random.between(Math.max(2, head - 100), head - 1);
        this.world.views[1]!.forkFrom(this.#fork);
        await chain.mineLive(1);
        return `${kind} ${this.#fork}`;
      case 'badBlock':
        this.#badBlock = head + 1;
        for (const view of this.world.views) spoil(view, this.#badBlock);
        await chain.mineLive(random.between(1, 3));
        return `${kind} ${this.#badBlock}`;
      case 'kill':
        return this.#kill();
    }
  }

  async #reorg(depth: number): Promise<void> {
    await this.world.chain.reorg(depth);
    await this.world.chain.mineLive(this.random.between(1, 3));
  }

  /** Kills the pipeline after a random one of its next writes. */
  async #kill(): Promise<string> {
    const writes = this.random.between(0, 12);
    this.#mortal.dieAfter(writes);
    const isReorg = this.random.chance(0.6);
    if (isReorg) await this.#reorg(this.random.between(1, 20));
    else await this.world.chain.mineLive(this.random.between(1, 4));
    await waitFor(async () => this.#mortal.isDead(), 3_000, 'it dies').catch(() => {});
    await this.#restart();
    return `kill behind ${writes} of a ${isReorg ? 'reorg' : 'block'}`;
  }

  async #restart(): Promise<void> {
    await this.#mortal.stop();
    await this.#pipeline.stop();
    const next = await startLife(this.world.engine, this.world.name, this.world.views, this.world.mayFollow);
    [this.#pipeline, this.#mortal] = [next.pipeline, next.mortal];
  }

  // biome-ignore lint/suspicious/noExplicitAny: the reply is checked field by field
  async #status(): Promise<any> {
    return (await this.world.api.get('/api/v1/status')).body;
  }

  /** Waits until the service matches the node, or reports that it does not. */
  async #finalize(): Promise<void> {
    let last = '';
    await waitFor(
      async () => {
        const told = await this.#status();
        const state = await this.#pipeline.state();
        last = JSON.stringify({ status: told.status, doubt: told.doubt, pipeline: told.pipeline, head: state?.head });
        if (told.status === 'ok')
          assertRight(told.doubt === null && told.pipeline.phase === 'following', `"ok" while holding: ${last}`);
        if (state === undefined) return false;
        if (await this.#isReported(state, told)) return true;
        return !(await this.#isTrouble(state)) && (await this.#isAtHead(state));
      },
      waitMs,
      () => `the service settles: ${last}`,
    );
  }

  async #isTrouble(state: ChainState): Promise<boolean> {
    if (this.#badBlock !== undefined) return true;
    return this.#fork !== undefined && this.#fork <= state.finalized;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the reply of /status
  async #isReported(state: ChainState, told: any): Promise<boolean> {
    if (state.doubtedFrom !== undefined) return told.status !== 'ok' && told.doubt !== null;
    if (this.#badBlock === undefined) return false;
    return told.status !== 'ok' && JSON.stringify(told).includes(`block ${this.#badBlock}`);
  }

  async #isAtHead(state: ChainState): Promise<boolean> {
    const head = await headReader(this.world.chain)();
    if (state.head !== head || !isBackfilled(state)) return false;
    if (this.#fork !== undefined) return true; // either branch is correct
    const block = await this.world.chain.rpc.call<{ hash: string }>('eth_getBlockByNumber', [
      `0x${head.toString(16)}`,
      false,
    ]);
    return block.hash === state.headHash;
  }

  async #look(): Promise<void> {
    const state = (await this.#pipeline.state())!;
    const reliable = state.doubtedFrom === undefined ? state.head : Math.min(state.head, state.doubtedFrom - 1);
    const head = await headReader(this.world.chain)();
    const look = await Look.take({ ...this.world, tally: this.tally }, head, reliable, this.#fork !== undefined);
    for (const [hash, tx] of this.#known) if (!look.transactions.has(hash)) this.#gone.set(hash, tx);
    for (const hash of look.transactions.keys()) this.#gone.delete(hash);
    this.#known = look.transactions;
    await look.check(this.random, [...this.#gone.values()]);
    await this.#checkStream();
  }

  /**
   * Checks that each event of the stream links to the event before, and that the last event is the head. Reads the head
   * each time, because the pipeline may switch branches.
   */
  async #checkStream(): Promise<void> {
    const heads = await EventReader.open(`${this.world.api.origin}/api/v1/stream/heads?lastEventId=0`);
    const isAtHead = async () => {
      const { headHash } = (await this.#pipeline.state())!;
      return heads.events.at(-1)?.name === 'anchor.added' && heads.events.at(-1)?.data.hash === headHash;
    };
    const events = await waitFor(isAtHead, waitMs, 'the stream ends at the head')
      .then(() => [...heads.events])
      .finally(() => heads.close());
    const chain: string[] = [];
    for (const { name, data, id } of events) {
      if (name === 'anchor.added') {
        assertRight(chain.length === 0 || chain.at(-1) === data.parentHash, `event ${id} links`);
        chain.push(data.hash);
      } else assertRight(chain.pop() === data.hash, `event ${id} removes the newest`);
    }
  }

  /** Undoes the fork and the bad block; rewinds the index if needed. */
  async #mend(): Promise<void> {
    this.#badBlock = undefined;
    for (const view of this.world.views) view.setFault(null);
    if (this.#fork !== undefined) {
      this.world.views[1]!.forkFrom(undefined);
      this.#fork = undefined;
    }
    let last = '';
    const isWell = async () => {
      const state = (await this.#pipeline.state())!;
      last = JSON.stringify({ state, failure: String(this.#pipeline.failure()) });
      return state.doubtedFrom === undefined && this.#isAtHead(state);
    };
    await waitFor(isWell, 4_000, 'it is well').catch(() => this.#rewind());
    await waitFor(isWell, waitMs, () => `it recovers: ${last}`);
  }

  /** Rewinds the index, like an operator if the node contradicts stored blocks. */
  async #rewind(): Promise<void> {
    const { doubtedFrom } = (await this.#pipeline.state())!;
    if (doubtedFrom === undefined) return;
    await this.#pipeline.stop();
    await rewind({ ...this.#pipeline.deps, database: this.world.database }, doubtedFrom - 1);
    this.done.push(`rewind to ${doubtedFrom - 1}`);
    await this.#restart();
  }

  async end(): Promise<void> {
    await this.world.chain.mineLive(2);
    await this.#pipeline.caughtUp(headReader(this.world.chain), waitMs);
    const { differences } = await this.#pipeline.verify({ baseOnly: true });
    assertRight(differences.length === 0, `rows differ: ${JSON.stringify(differences[0])}`);
    await this.#finalize();
    await this.#look();
  }

  async stop(): Promise<void> {
    await this.world.api.stop();
    await this.#mortal.stop();
    await this.#pipeline.stop();
    await Promise.all(this.world.views.map((view) => view.stop()));
    await this.world.database.command(`DROP DATABASE IF EXISTS ${this.world.name}`).catch(() => {});
    await this.world.chain.stop();
  }
}
