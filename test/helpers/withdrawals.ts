import { Transaction, Wallet } from 'ethers';
import { Random } from '#devchain/random.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { type IndexedChain, startIndexedChain } from './indexed-chain.ts';
import { type ApiReply, headReader, type RunningApi, startApi } from './service.ts';

export const payee = `0x${'77'.repeat(20)}`;

type Signer = Pick<Wallet, 'signTransaction'>;

export interface WithdrawalWatch {
  readonly indexed: IndexedChain;
  readonly writer: FaultyProxy;
  readonly api: RunningApi;
  readonly wallet: ReturnType<typeof Wallet.createRandom>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiReply>;
  // biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field
  readState(hash: string): Promise<any>;
  mine(blocks: number): Promise<void>;
  sign(nonce: number, change?: object, signer?: Signer): Promise<{ raw: string; hash: string }>;
  rich(): Promise<ReturnType<typeof Wallet.createRandom>>;
  stop(): Promise<void>;
}

export async function startWithdrawalWatch(): Promise<WithdrawalWatch> {
  const indexed = await startIndexedChain({ blocks: 40, seed: 41 });
  const rich = async () => {
    const wallet = Wallet.createRandom();
    await indexed.chain.rpc.call('anvil_setBalance', [wallet.address, '0x56bc75e2d63100000']);
    return wallet;
  };
  const target = indexed.chain.rpc.url;
  const writer = await startFaultyProxy({ target, random: new Random(1), fault: null, share: 1, budget: 0 });
  const api = await startApi(indexed.pipeline.deps.database, [writer.url]);
  const wallet = await rich();
  return {
    indexed,
    writer,
    api,
    wallet,
    rich,
    post: (path, body, headers = {}) =>
      api.get(`/api/v1${path}`, { method: 'POST', body: JSON.stringify(body), headers }),
    readState: async (hash) => (await api.get(`/api/v1/withdrawals/${hash}`)).body,
    mine: async (blocks) => {
      await indexed.chain.mineLive(blocks);
      await indexed.pipeline.caughtUp(headReader(indexed.chain));
    },
    sign: async (nonce, change = {}, signer = wallet) => {
      const raw = await signer.signTransaction({
        to: payee,
        value: 10n + BigInt(nonce),
        nonce,
        chainId: 271_828,
        gasLimit: 21_000n,
        type: 2,
        maxFeePerGas: 10n ** 12n,
        maxPriorityFeePerGas: 10n ** 9n,
        ...change,
      });
      return { raw, hash: Transaction.from(raw).hash! };
    },
    stop: async () => {
      await api.stop();
      await writer.stop();
      await indexed.stop();
    },
  };
}
