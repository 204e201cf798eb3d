/** The supply at one block, each component from its source, and the sums of them. Exact in wei. @source specification 1.7, 4.8 */

import { pause } from '#runtime/shutdown.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { StatementName } from '#sql/statements.gen.ts';
import { getStatement } from '#sql/statements.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { coverageOf } from '../chain/freshness.ts';
import type { CoverageDeps, NodeDeps, StateDeps, TimeDeps } from '../reader-deps.ts';
import { type EmissionState, emissionAt } from './emission.ts';
import { type Migration, type OriginMints, type RepeatedNullifier, reconcileMigration } from './migration.ts';
import { readNodeEmission } from './node-emission.ts';
import { readOrigin } from './origins.ts';
import type { SupplySettings } from './settings.ts';

export interface Reconciliation {
  readonly block: number;
  readonly blockHash: string;
  /** Unix seconds of the block. */
  readonly time: number;
  readonly computedAtMs: number;
  readonly emissionStart: number;
  readonly emission: EmissionState;
  /** By the reward contract's events, or as the node says, which counts none; undefined where neither is configured. */
  readonly rewards: { readonly count: number | null; readonly amount: bigint } | undefined;
  readonly feesBurned: bigint;
  readonly migration: Migration;
  readonly excluded: readonly { readonly address: string; readonly reason: string; readonly balance: bigint }[];
  readonly total: bigint;
  readonly circulating: bigint;
}

/** What the index says at one state. */
type Indexed = Pick<
  Reconciliation,
  'block' | 'blockHash' | 'time' | 'emissionStart' | 'emission' | 'rewards' | 'feesBurned'
> & {
  readonly mints: readonly OriginMints[];
  readonly repeated: readonly RepeatedNullifier[];
};

const maxRepeated = 100;
/** A burn whose mint is in a block that is not indexed yet is looked at again after this, ms; so often. */
const pendingPauseMs = 300;
const pendingTries = 2;

/** What the supply is put together from. */
export interface SupplyDeps extends StateDeps {
  readonly settings: StateDeps['settings'] & { readonly supply: SupplySettings };
}

/**
 * Burned totals are read after the chain's: a sound bridge never shows more minted than burned then.
 * @throws ApiProblem, StoreError, or an error of the node where a component can't be had: no figure is made up
 */
export async function reconcile(deps: SupplyDeps, tries = pendingTries): Promise<Reconciliation> {
  const { supply } = deps.settings;
  const indexed = await deps.snapshots.run((state) => readIndexed(deps, state));
  const head = { number: indexed.block, hash: indexed.blockHash };
  const [readings, balances, told] = await Promise.all([
    Promise.all(supply.origins.map(readOrigin)),
    readBalances(deps, indexed.blockHash),
    supply.emissionMethod === undefined ? undefined : readNodeEmission(deps, supply.emissionMethod, head),
  ]);
  const migration = reconcileMigration(indexed.mints, readings, indexed.repeated);
  if (migration.state === 'burns_pending' && tries > 0) {
    await pause(pendingPauseMs);
    return reconcile(deps, tries - 1);
  }
  const { mints: _, repeated: __, ...at } = indexed;
  const rewards = told === undefined ? at.rewards : { count: null, amount: told };
  const emitted = rewards?.amount ?? at.emission.emitted;
  const total = totalSupplyOf(supply, { emitted, migrated: migration.totalMigrated, burned: at.feesBurned });
  const excluded = supply.excluded.map((account, i) => ({ ...account, balance: balances[i]! }));
  const circulating = total - excluded.reduce((sum, { balance }) => sum + balance, 0n);
  return { ...at, rewards, computedAtMs: Date.now(), migration, excluded, total, circulating };
}

/** Of which components the total is made, as configured. All wei. */
export function totalSupplyOf(
  { schedule, isMigratedOnTop, areFeesBurned }: SupplySettings,
  { emitted, migrated, burned }: { readonly emitted: bigint; readonly migrated: bigint; readonly burned: bigint },
): bigint {
  return schedule.genesis + emitted + (isMigratedOnTop ? migrated : 0n) - (areFeesBurned ? burned : 0n);
}

async function readIndexed(deps: SupplyDeps, state: ChainState): Promise<Indexed> {
  const { supply } = deps.settings;
  assertWhole(deps, state);
  const read = <Row>(name: StatementName, parameters: Record<string, string | number>) =>
    deps.database.read<Row>(getStatement(deps.statements, name), { ...snapshotParameters(state), ...parameters });
  const bridge = supply.bridge?.slice(2);
  const [time, start, burned, mints, repeated, rewards] = await Promise.all([
    deps.blockTimes.head(state),
    supply.emissionStart ?? genesisTime(deps, state),
    read<{ burned_wei: string }>('burned_fees', { day_through: state.dayThrough, hour_through: state.hourThrough }),
    bridge
      ? read<{ origin_chain: string; mint_count: string; amount_sum: string; nullifier_count: string }>(
          'bridge_mints',
          { bridge },
        )
      : [],
    bridge
      ? read<{ nullifier_hex: string; mint_count: string; excess: string }>('repeated_nullifiers', {
          bridge,
          limit: maxRepeated,
        })
      : [],
    supply.rewardContract
      ? read<{ reward_count: string; amount_sum: string }>('rewards_minted', {
          contract: supply.rewardContract.slice(2),
        })
      : [],
  ]);
  return {
    block: state.head,
    blockHash: state.headHash,
    time,
    emissionStart: start,
    emission: emissionAt(supply.schedule, start, time),
    rewards: rewards[0] && { count: Number(rewards[0].reward_count), amount: BigInt(rewards[0].amount_sum) },
    feesBurned: BigInt(burned[0]!.burned_wei),
    mints: mints.map((row) => ({
      origin: row.origin_chain,
      mints: Number(row.mint_count),
      amount: BigInt(row.amount_sum),
      nullifiers: Number(row.nullifier_count),
    })),
    repeated: repeated.map((row) => ({
      nullifier: row.nullifier_hex,
      mints: Number(row.mint_count),
      excess: BigInt(row.excess),
    })),
  };
}

/** Burned fees and mints are sums over all blocks. @throws ApiProblem indexing where some are missing */
export function assertWhole(deps: CoverageDeps, state: ChainState): void {
  const { gaps } = coverageOf(deps, state, 0, state.head);
  if (gaps.length > 0)
    throw new ApiProblem('indexing', 'the supply is summed over all blocks, and some are not indexed', {
      gaps: gaps.slice(0, 20),
    });
}

/** Time of block 0: from the index, or from a node where the index begins above it. */
export async function genesisTime(deps: TimeDeps & Pick<NodeDeps, 'client'>, state: ChainState): Promise<number> {
  const stored = await deps.blockTimes.of(state, 0);
  if (stored !== undefined) return stored;
  const ask = deps.client.call<{ timestamp: string }>('eth_getBlockByNumber', ['0x0', false]);
  const block = await ask.catch(() => {
    throw new ApiProblem('node_unavailable', 'no node said when the chain began');
  });
  return Number(block.timestamp);
}

/** Balances of the excluded accounts at that very block, wei. */
async function readBalances(deps: SupplyDeps, blockHash: string): Promise<bigint[]> {
  const { excluded } = deps.settings.supply;
  if (excluded.length === 0) return [];
  const calls = excluded.map(({ address }) => ({ method: 'eth_getBalance', params: [address, { blockHash }] }));
  const { results } = await deps.client.batch(calls).catch(() => {
    throw new ApiProblem('node_unavailable', 'no node said the balances of the excluded accounts');
  });
  return results.map((balance) => BigInt(balance as string));
}
