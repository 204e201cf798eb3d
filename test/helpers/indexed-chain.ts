import type { ApiSettings } from '#api/deps.ts';
import type { DevChain, DevChainOptions } from '#devchain/devchain.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { type ModelBlock, type ModelTransfer, modelTransfers, readChainModel } from './chain-model.ts';
import { waitFor } from './processes.ts';
import {
  headReader,
  type PipelineOptions,
  type RunningApi,
  type RunningPipeline,
  startApi,
  startDevChain,
  startPipeline,
  startTestEngine,
  type TestEngine,
} from './service.ts';

export interface IndexedChain {
  readonly engine: TestEngine;
  readonly chain: DevChain;
  readonly pipeline: RunningPipeline;
  readonly api: RunningApi;
  readonly blocks: ModelBlock[];
  readonly transfers: ModelTransfer[];
  readonly head: number;
  stop(): Promise<void>;
}

export async function startIndexedChain(
  options: Partial<DevChainOptions>,
  settings: PipelineOptions['settings'] = {},
  apiSettings: (chain: DevChain) => Partial<ApiSettings> = () => ({}),
): Promise<IndexedChain> {
  const [engine, chain] = await Promise.all([startTestEngine(), startDevChain(options)]);
  const database = await engine.open('indexed');
  const pipeline = startPipeline({ database, urls: [chain.rpc.url], settings });
  const { head } = await pipeline.caughtUp(headReader(chain), 120_000);
  const blocks = await readChainModel(chain.rpc, head);
  const api = await startApi(database, [chain.rpc.url], false, apiSettings(chain));
  return {
    engine,
    chain,
    pipeline,
    api,
    blocks,
    head,
    transfers: modelTransfers(blocks),
    stop: async () => {
      await api.stop();
      await pipeline.stop();
      await chain.stop();
      await engine.stop();
    },
  };
}

export async function waitForTokens({ pipeline, transfers }: IndexedChain): Promise<void> {
  const { database } = pipeline.deps;
  const tokens = new Set(transfers.map((transfer) => transfer.token)).size;
  const sql = 'SELECT uniqExact(address) AS asked FROM tokens';
  const statement = { ...resolveStatement('chain_state'), sql };
  const isAsked = async () => Number((await database.read<{ asked: string }>(statement))[0]!.asked) === tokens;
  await waitFor(isAsked, 60_000, `all ${tokens} tokens were asked for their metadata`);
}

export async function waitForClosedDays({ pipeline }: IndexedChain): Promise<void> {
  await waitFor(async () => (await pipeline.state())!.dayThrough > 0, 60_000, 'the first days are closed');
}
