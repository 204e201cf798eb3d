/** Computes the supply of the native coin at one block, exact in wei. @source docs/economy.md#supply-apiv1supply */
import { toQuantity } from '#chain/codec/hex.ts';
import { pause } from '#runtime/shutdown.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { LogReadDeps } from '../../tail/log-reads.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { type BurnedFeesDeps, readBurnedFees } from '../chain/figures.ts';
import { getCoverage } from '../chain/freshness.ts';
import type { CoverageDeps, NodeDeps, StateDeps, StoreDeps, TimeDeps } from '../reader-deps.ts';
import { type EmissionState, emissionAt } from './emission.ts';
import { type Migration, type OriginMints, type RepeatedNullifier, reconcileMigration } from './migration.ts';
import { readNodeEmission } from './node-emission.ts';
import { readOrigin } from './origins.ts';
import type { SupplySettings } from './settings.ts';

export interface Reconciliation {
  readonly block: number;
  readonly blockHash: string;
  /** Block time, Unix seconds. */
  readonly time: number;
  readonly computedAtMs: number;
  readonly emissionStart: number;
  readonly emission: EmissionState;
  /** `count` is null if a node reports the amount. */
  readonly rewards: { readonly count: number | null; readonly amount: bigint } | undefined;
  readonly feesBurned: bigint;
  readonly migration: Migration;
  readonly excluded: readonly { readonly address: string; readonly reason: string; readonly balance: bigint }[];
  readonly total: bigint;
  readonly circulating: bigint;
}

type Indexed = Pick<
  Reconciliation,
  'block' | 'blockHash' | 'time' | 'emissionStart' | 'emission' | 'rewards' | 'feesBurned'
> & {
  /** Undefined: no bridge is configured. */
  readonly mints: readonly OriginMints[] | undefined;
  readonly repeated: readonly RepeatedNullifier[];
};

const maxRepeated = 100;
/** Delay before a retry if burns exceed mints, ms: the mint may not be indexed yet. */
const pendingPauseMs = 300;
const pendingTries = 2;

export interface SupplyDeps extends StateDeps, BurnedFeesDeps, LogReadDeps {
  readonly settings: StateDeps['settings'] & { readonly supply: SupplySettings };
}

/**
 * Reads burned totals after minted amounts, so that a correct bridge never shows more minted than burned.
 * @throws ApiProblem, StoreError or a node error if a component cannot be read
 */
export async function reconcile(deps: SupplyDeps, tries = pendingTries): Promise<Reconciliation> {
  const { supply } = deps.settings;
  const indexed = await deps.snapshots.run((state) => readIndexed(deps, state));
  const head = { number: indexed.block, hash: indexed.blockHash };
  const [readings, excluded, nodeEmission] = await Promise.all([
    Promise.all(supply.origins.map(readOrigin)),
    readExcluded(deps, head),
    supply.emissionMethod === undefined ? undefined : readNodeEmission(deps, supply.emissionMethod, head),
  ]);
  const migration = reconcileMigration(indexed.mints, readings, indexed.repeated);
  if (migration.state === 'burns_pending' && tries > 0) {
    await pause(pendingPauseMs);
    return reconcile(deps, tries - 1);
  }
  const { mints: _, repeated: __, ...at } = indexed;
  const rewards = nodeEmission === undefined ? at.rewards : { count: null, amount: nodeEmission };
  const emitted = rewards?.amount ?? at.emission.emitted;
  const total = computeTotalSupply(supply, { emitted, migrated: migration.totalMigrated ?? 0n, burned: at.feesBurned });
  const circulating = total - excluded.reduce((sum, { balance }) => sum + balance, 0n);
  return { ...at, rewards, computedAtMs: Date.now(), migration, excluded, total, circulating };
}

export function computeTotalSupply(
  { schedule, isMigratedOnTop, areFeesBurned }: SupplySettings,
  { emitted, migrated, burned }: { readonly emitted: bigint; readonly migrated: bigint; readonly burned: bigint },
): bigint {
  return schedule.genesis + emitted + (isMigratedOnTop ? migrated : 0n) - (areFeesBurned ? burned : 0n);
}

async function readIndexed(deps: SupplyDeps, state: ChainState): Promise<Indexed> {
  const { supply } = deps.settings;
  const { schedule, emissionStart: start } = supply;
  assertWhole(deps, state);
  const ofContract = async <T, N>(name: string, contract: string | undefined, none: N, read: ReadLogs<T>) =>
    contract === undefined
      ? none
      : deps.logReads.of(name, [contract], state, (needed) => read(deps, needed, contract.slice(2)));
  const [time, emissionStart, feesBurned, mints, repeated, rewards] = await Promise.all([
    deps.blockTimes.head(state),
    start ?? genesisTime(deps, state),
    readBurnedFees(deps, state),
    ofContract('mints', supply.bridge, undefined, readMints),
    ofContract('repeated nullifiers', supply.bridge, [], readRepeated),
    ofContract('rewards', supply.rewardContract, undefined, readRewards),
  ]);
  return {
    block: state.head,
    blockHash: state.headHash,
    time,
    emissionStart,
    emission: emissionAt(schedule, emissionStart, time),
    rewards,
    feesBurned,
    mints,
    repeated,
  };
}

type ReadLogs<T> = (deps: StoreDeps, state: ChainState, contract: string) => Promise<T>;

const readMints: ReadLogs<OriginMints[]> = async ({ database }, state, bridge) => {
  const rows = await database.read('bridge_mints', { ...snapshotParameters(state), bridge });
  return rows.map((row) => ({
    origin: row.origin_chain,
    mints: Number(row.mint_count),
    amount: BigInt(row.amount_sum),
    nullifiers: Number(row.nullifier_count),
    lastMs: row.last_time * 1_000,
  }));
};

const readRepeated: ReadLogs<RepeatedNullifier[]> = async ({ database }, state, bridge) => {
  const parameters = { ...snapshotParameters(state), bridge, limit: maxRepeated };
  const rows = await database.read('repeated_nullifiers', parameters);
  return rows.map((row) => ({
    nullifier: row.nullifier_hex,
    mints: Number(row.mint_count),
    excess: BigInt(row.excess),
  }));
};

const readRewards: ReadLogs<{ count: number; amount: bigint }> = async ({ database }, state, contract) => {
  const parameters = { ...snapshotParameters(state), contract };
  const { reward_count, amount_sum } = await database.readOne('rewards_minted', parameters);
  return { count: Number(reward_count), amount: BigInt(amount_sum) };
};

/** Requires all blocks, because burned fees and mints are summed over them. @throws ApiProblem indexing */
export function assertWhole(deps: CoverageDeps, state: ChainState): void {
  const { gaps } = getCoverage(deps, state, 0, state.head);
  if (gaps.length > 0)
    throw new ApiProblem('indexing', 'the supply is not available until all blocks are indexed', {
      gaps: gaps.slice(0, 20),
    });
}

/**
 * Returns the time of block 0, from a node if not indexed. If it is 0, as in many private chains, returns the time of
 * block 1: an emission since 1970 would be nearly over.
 */
export async function genesisTime(deps: TimeDeps & Pick<NodeDeps, 'client'>, state: ChainState): Promise<number> {
  const time = await blockTime(deps, state, 0);
  return time > 0 || state.head < 1 ? time : blockTime(deps, state, 1);
}

async function blockTime(deps: TimeDeps & Pick<NodeDeps, 'client'>, state: ChainState, number: 0 | 1): Promise<number> {
  const stored = await deps.blockTimes.of(state, number);
  if (stored !== undefined) return stored;
  const parameters = [toQuantity(number), false];
  const ask = deps.client.call<{ timestamp: string } | null>('eth_getBlockByNumber', parameters, { retries: 1 });
  const block = await ask.catch(() => null);
  if (!block) throw new ApiProblem('node_unavailable', `no node returned block ${number}; try again`);
  return Number(block.timestamp);
}

async function readExcluded(
  deps: SupplyDeps,
  { number, hash: blockHash }: { readonly number: number; readonly hash: string },
): Promise<Reconciliation['excluded']> {
  const { excluded } = deps.settings.supply;
  if (excluded.length === 0) return [];
  const calls = excluded.map(({ address }) => ({ method: 'eth_getBalance', params: [address, { blockHash }] }));
  const { results } = await deps.client.batch(calls, { minHead: number, retries: 2 }).catch(() => {
    throw new ApiProblem('node_unavailable', 'no node returned the balances of the excluded accounts; try again');
  });
  return excluded.map((account, i) => ({ ...account, balance: BigInt(results[i] as string) }));
}
