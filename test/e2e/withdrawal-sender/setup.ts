/** All tests of the sender share one chain and one service. Each sender has its own wallet. */
import { rm } from 'node:fs/promises';
import test from 'ava';
import { Wallet } from 'ethers';
import { Cordscan } from '#client/index.ts';
import { NodeClient } from '#integrator/node-client.ts';
import { Store } from '#integrator/store.ts';
import { WithdrawalSender } from '#integrator/withdrawal-sender.ts';
import { silentLog } from '#runtime/log.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { scratchFolder } from '#test/helpers/processes.ts';
import { chainId, headReader } from '#test/helpers/service.ts';

/** Drops every transaction. */
export class LosingEdge extends NodeClient {
  override once<T>(method: string, params: readonly unknown[]): Promise<T> {
    if (method === 'eth_sendRawTransaction') return Promise.reject(new Error('status 502'));
    return super.once(method, params);
  }
}

export class BlindPool extends NodeClient {
  override read<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    return method === 'eth_getTransactionReceipt' ? Promise.resolve(null as T) : super.read(method, params);
  }
}

/** Knows a pending transaction of the wallet, and drops it later. */
export class PromisingNode extends NodeClient {
  override read<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    return method === 'eth_getTransactionCount' ? Promise.resolve('0x1' as T) : super.read(method, params);
  }
}

export let indexed: IndexedChain;
export let dir: string;

test.before(async () => {
  [indexed, dir] = await Promise.all([startIndexedChain({ blocks: 30, seed: 51 }), scratchFolder('cordscan-sender')]);
});

test.after.always(async () => {
  await indexed?.stop();
  await rm(dir, { recursive: true, force: true });
});

export const readBalance = async (address: string) =>
  BigInt(await indexed.chain.rpc.call<string>('eth_getBalance', [address, 'latest']));

export async function mine(blocks: number): Promise<void> {
  await indexed.chain.mineLive(blocks);
  await indexed.pipeline.caughtUp(headReader(indexed.chain));
}

export async function startSender(name: string) {
  const wallet = new Wallet(Wallet.createRandom().privateKey);
  await indexed.chain.rpc.call('anvil_setBalance', [wallet.address, '0x56bc75e2d63100000']);
  const store = await Store.open(`${dir}/${name}`);
  const { url } = indexed.chain.rpc;
  const limits = { gasFloat: 1n, maxGasPrice: 10n ** 13n, maxPending: 4 };
  const common = { api: new Cordscan(indexed.api.origin), store, wallet, chainId, ...limits };
  const senderTo = (writer: NodeClient, pool: NodeClient) =>
    new WithdrawalSender({ ...common, writer, pool, log: silentLog });
  return { wallet, store, url, senderTo };
}
