/** Local chain: history from a random seed, live traffic, and reorgs on request. */

import { toQuantity } from '#chain/codec/hex.ts';
import { pause } from '#runtime/shutdown.ts';
import { type Anvil, startAnvil } from './anvil.ts';
import { planCardSales, withCards } from './cards.ts';
import { type DevNode, type DevNodeOptions, startDevNode } from './dev-node.ts';
import { DevRpc } from './dev-rpc.ts';
import { planEconomy } from './economy-traffic.ts';
import { Miner } from './miner.ts';
import { Random } from './random.ts';
import { withShowcase } from './showcase.ts';
import { planTestimonies, withTestimonies } from './testimony.ts';
import { planBlock } from './traffic.ts';
import type { TransactionRequest } from './transaction-request.ts';
import { getBlockProducer } from './validators.ts';
import { createWorld, type World } from './world.ts';

export interface DevChainOptions {
  readonly port: number;
  readonly chainId: number;
  readonly host?: string;
  readonly blocks: number;
  readonly seed: number;
  readonly quiet?: { readonly after: number; readonly blocks: number };
  readonly blockSeconds: number;
  /** Whether some transactions carry blobs (default: yes). The node needs 3 s of CPU time to check the first one. */
  readonly blobs?: boolean;
  /** Timestamp of block 0, Unix seconds. Default: the history ends now. */
  readonly genesisTime?: number;
  readonly onProgress?: (done: number, total: number) => void;
}

const delegationEvery = 100;
const blobsEvery = 60;
const blobSender = 59;

export class DevChain {
  readonly #miner: Miner;
  readonly #random: Random;
  /** Separate from other traffic, so that trades and the bridge do not change it. */
  readonly #economyRandom: Random;
  #number = 0;
  #served: { readonly node: DevNode; readonly rpc: DevRpc } | undefined;
  readonly anvil: Anvil;
  readonly world: World;
  readonly options: DevChainOptions;
  readonly genesisTime: number;

  private constructor(anvil: Anvil, world: World, options: DevChainOptions, genesisTime: number) {
    this.anvil = anvil;
    this.world = world;
    this.options = options;
    this.genesisTime = genesisTime;

    this.#miner = new Miner(anvil.rpc, options.chainId);
    this.#random = new Random(options.seed);
    this.#economyRandom = new Random(options.seed + 0x5eed);
  }

  get rpc(): DevRpc {
    return this.#served?.rpc ?? this.anvil.rpc;
  }

  /** Starts a JSON-RPC server. It then receives all calls, so that a reorg waits for them. See `startDevNode`. */
  async serve(options: Omit<DevNodeOptions, 'target'>): Promise<DevNode> {
    const node = await startDevNode({ ...options, target: this.anvil.rpc.url });
    this.#served = { node, rpc: new DevRpc(node.url) };
    return node;
  }

  static async start(options: DevChainOptions): Promise<DevChain> {
    const genesisTime =
      options.genesisTime ?? Math.floor(Date.now() / 1000) - (options.blocks + 1) * options.blockSeconds;
    const anvil = await startAnvil({ ...options, genesisTime });
    const accounts = (await anvil.rpc.call<string[]>('eth_accounts', [])).map((account) => account.toLowerCase());
    const chain = new DevChain(
      anvil,
      withCards(withShowcase(withTestimonies(await createWorld(accounts)))),
      options,
      genesisTime,
    );
    await chain.#writeHistory();
    return chain;
  }

  async mineLive(blocks = 1): Promise<void> {
    for (let i = 0; i < blocks; i++) {
      this.#miner.forgetNonces(); // another process may have forced a reorg, which changes the nonces
      const latest = await this.rpc.call<{ number: string; timestamp: string }>('eth_getBlockByNumber', [
        'latest',
        false,
      ]);
      const timestamp = Math.max(Number(latest.timestamp) + 1, Math.floor(Date.now() / 1000));
      await this.#miner.mine(this.#plan(++this.#number), timestamp, getBlockProducer(Number(latest.number) + 1));
    }
  }

  /** Mines live blocks until the signal fires. Skips blocks that fail. */
  async runLive(intervalMs: number, signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
    while (!signal.aborted) {
      const startedAt = Date.now();
      await this.mineLive().catch(onError);
      await pause(Math.max(0, intervalMs - (Date.now() - startedAt)), signal);
    }
  }

  async reorg(depth: number): Promise<void> {
    await forceReorg(this.rpc, depth);
    this.#miner.forgetNonces();
  }

  async revert(depth: number): Promise<void> {
    await this.rpc.call('anvil_rollback', [depth]);
    this.#miner.forgetNonces();
  }

  async stop(): Promise<void> {
    await this.#served?.node.stop();
    await this.anvil.stop();
  }

  #plan(number: number): TransactionRequest[] {
    const requests = planBlock(this.world, this.#random, number);
    if (requests.length === 0) return [];
    return [
      ...requests,
      ...planEconomy(this.world, this.#economyRandom, number),
      ...planTestimonies(this.world, number),
      ...planCardSales(this.world, number),
    ];
  }

  async #writeHistory(): Promise<void> {
    const { blocks, blockSeconds, blobs = true, quiet, onProgress } = this.options;
    for (let number = 1; number <= blocks; number++) {
      if (quiet && number === quiet.after + 1) {
        await this.rpc.call('anvil_mine', [toQuantity(quiet.blocks), toQuantity(blockSeconds)]);
        number += quiet.blocks;
      }
      const requests = this.world.setup[number - 1] ?? this.#plan(number);
      if (number % delegationEvery === 0) {
        await this.#miner
          .delegate(10 + ((number / delegationEvery) % 40), this.world.payout)
          .catch(() => this.#miner.forgetNonces());
      }
      if (blobs && number % blobsEvery === 0) {
        await this.#miner
          .sendBlobs(blobSender, 1 + ((number / blobsEvery) % 3))
          .catch(() => this.#miner.forgetNonces());
      }
      await this.#miner.mine(requests, this.genesisTime + number * blockSeconds, getBlockProducer(number));
      this.#number = number;
      onProgress?.(number, blocks);
    }
  }
}

/** Replaces the newest blocks with empty blocks. */
export async function forceReorg(rpc: DevRpc, depth: number): Promise<void> {
  await rpc.call('anvil_reorg', [depth, []]);
}
