import { z } from 'zod';
import { isoTime, isoTimeOfMs } from '#chain/codec/iso-time.ts';
import { fat } from '../../read/charts/decimals.ts';
import type { ChainDeps } from '../../read/reader-deps.ts';
import { asymptoticSupply, yearSeconds } from '../../read/supply/emission.ts';
import type { Migration } from '../../read/supply/migration.ts';
import type { OriginReading } from '../../read/supply/origins.ts';
import type { Reconciliation, SupplyDeps } from '../../read/supply/reconcile.ts';
import type { SupplySettings } from '../../read/supply/settings.ts';
import { staleMs } from '../../read/supply/supply-reader.ts';
import { Count, HexAddress, HexHash, IsoTime, UnixSeconds, Wei } from '../../terms/primitives.ts';

const Amount = z
  .strictObject({ wei: Wei, fat: z.string().regex(/^-?\d+(\.\d+)?$/) })
  .meta({ id: 'SupplyAmount', description: 'One amount in wei and in FAT, all decimals' });

const Origin = z
  .strictObject({
    origin: z.string().meta({ description: 'Number of the origin chain in the events of the bridge' }),
    burned: Amount.nullable(),
    migrated: Amount,
    mints: Count,
    difference: Amount.nullable().meta({ description: 'Burned minus migrated' }),
    source: z
      .strictObject({
        kind: z.enum(['node', 'document']).nullable(),
        name: z.string().nullable(),
        block: Count.nullable(),
        asOf: z.string().nullable(),
        readAt: IsoTime,
        fault: z.enum(['not_configured', 'unreachable', 'unreadable']).nullable(),
      })
      .nullable()
      .meta({ description: 'Where burned was read; null for a chain that is no origin' }),
  })
  .meta({ id: 'SupplyOrigin' });

export const SupplyReconciliation = z
  .strictObject({
    chainId: Count,
    asOfBlock: Count,
    asOfBlockHash: HexHash,
    timestamp: UnixSeconds,
    datetime: IsoTime,
    computedAt: IsoTime,
    stale: z.boolean().meta({ description: 'No newer one could be made for a while' }),
    total: Amount,
    circulating: Amount,
    formula: z.strictObject({ total: z.string(), circulating: z.string() }),
    genesis: Amount,
    emitted: z.strictObject({ amount: Amount, source: z.enum(['rewards', 'schedule']) }),
    emission: z.strictObject({
      schedule: z.strictObject({
        emitted: Amount,
        start: UnixSeconds,
        era: Count,
        eraStart: UnixSeconds,
        nextHalving: UnixSeconds,
        annual: Amount,
        annualOfEra1: Amount,
        eraYears: Count,
        yearSeconds: Count,
        asymptoticSupply: Amount.meta({ description: 'What genesis and schedule converge to' }),
      }),
      rewards: z
        .strictObject({
          emitted: Amount,
          count: Count.nullable().meta({ description: 'Rewards that were counted; null where the node says the sum' }),
          contract: HexAddress.nullable(),
          method: z.string().nullable().meta({ description: 'Of the node, where it is asked' }),
          difference: Amount,
        })
        .nullable()
        .meta({
          description:
            'By the events of the reward contract, or by a method of the node; difference: rewards minus schedule',
        }),
      publishedMaximum: Amount.meta({ description: 'As published; not derived from the schedule' }),
    }),
    feesBurned: z.strictObject({ amount: Amount, isCounted: z.boolean() }),
    excluded: z.array(z.strictObject({ address: HexAddress, reason: z.string(), amount: Amount })),
    legacy: z.strictObject({ isExcluded: z.literal(true), note: z.string() }),
    migration: z.strictObject({
      bridge: HexAddress.nullable(),
      burned1: Amount.nullable(),
      burned2: Amount.nullable(),
      totalBurned: Amount.nullable(),
      totalMigrated: Amount,
      invariant: z.literal('burned(origin 1) + burned(origin 2) == totalMigrated'),
      invariantHolds: z.boolean().nullable().meta({ description: 'null where a burned total could not be read' }),
      state: z.enum(['holds', 'burns_pending', 'broken', 'unknown']),
      isCountedOnTop: z.boolean(),
      origins: z.array(Origin),
      nullifiers: z.strictObject({
        holds: z.boolean().meta({ description: 'No nullifier minted more than once' }),
        repeated: z.array(z.strictObject({ nullifier: HexHash, mints: Count, excess: Amount })),
      }),
    }),
    alerts: z.array(z.string()),
  })
  .meta({ id: 'SupplyReconciliation' });

const amount = (wei: bigint) => ({ wei: wei.toString(), fat: fat(wei) });
const maybe = (wei: bigint | null | undefined) => (wei === null || wei === undefined ? null : amount(wei));

export function reconciliationReply(
  { settings }: ChainDeps & Pick<SupplyDeps, 'settings'>,
  made: Reconciliation,
): z.input<typeof SupplyReconciliation> {
  const { supply } = settings;
  const { emission, rewards } = made;
  return {
    chainId: settings.chainId,
    asOfBlock: made.block,
    asOfBlockHash: made.blockHash,
    timestamp: made.time,
    datetime: isoTime(made.time),
    computedAt: isoTimeOfMs(made.computedAtMs),
    stale: Date.now() - made.computedAtMs > staleMs,
    total: amount(made.total),
    circulating: amount(made.circulating),
    formula: {
      total: `genesis + emitted${supply.isMigratedOnTop ? ' + totalMigrated' : ''}${supply.areFeesBurned ? ' - feesBurned' : ''}`,
      circulating: 'total - excluded',
    },
    genesis: amount(supply.schedule.genesis),
    emitted: { amount: amount(rewards?.amount ?? emission.emitted), source: rewards ? 'rewards' : 'schedule' },
    emission: emissionReply(supply, made),
    feesBurned: { amount: amount(made.feesBurned), isCounted: supply.areFeesBurned },
    excluded: made.excluded.map(({ balance, ...account }) => ({ ...account, amount: amount(balance) })),
    legacy: {
      isExcluded: true,
      note: 'Legacy tokens on the origin chains are no part of these figures: native FAT is the sole basis',
    },
    migration: migrationReply(supply, made.migration),
    alerts: [...made.migration.alerts],
  };
}

function emissionReply(
  { schedule, rewardContract, emissionMethod, publishedMaximum }: SupplySettings,
  { emission, rewards, emissionStart }: Reconciliation,
) {
  return {
    schedule: {
      emitted: amount(emission.emitted),
      start: emissionStart,
      era: emission.era,
      eraStart: emission.eraStart,
      nextHalving: emission.nextHalving,
      annual: amount(emission.annual),
      annualOfEra1: amount(schedule.annual),
      eraYears: schedule.eraYears,
      yearSeconds,
      asymptoticSupply: amount(asymptoticSupply(schedule)),
    },
    rewards: rewards
      ? {
          emitted: amount(rewards.amount),
          count: rewards.count,
          contract: rewardContract ?? null,
          method: emissionMethod ?? null,
          difference: amount(rewards.amount - emission.emitted),
        }
      : null,
    publishedMaximum: amount(publishedMaximum),
  };
}

function migrationReply({ bridge, isMigratedOnTop: isCountedOnTop }: SupplySettings, migration: Migration) {
  const burnedOf = (origin: string) => maybe(migration.origins.find((row) => row.origin === origin)?.reading?.burned);
  return {
    bridge: bridge ?? null,
    burned1: burnedOf('1'),
    burned2: burnedOf('2'),
    totalBurned: maybe(migration.totalBurned),
    totalMigrated: amount(migration.totalMigrated),
    invariant: 'burned(origin 1) + burned(origin 2) == totalMigrated' as const,
    invariantHolds: migration.invariantHolds,
    state: migration.state,
    isCountedOnTop,
    origins: migration.origins.map(({ origin, reading, mints, migrated, difference }) => ({
      origin,
      mints,
      burned: maybe(reading?.burned),
      migrated: amount(migrated),
      difference: maybe(difference),
      source: reading ? sourceOf(reading) : null,
    })),
    nullifiers: {
      holds: migration.repeated.length === 0,
      repeated: migration.repeated.map(({ excess, ...row }) => ({ ...row, excess: amount(excess) })),
    },
  };
}

function sourceOf({ source, name, block, asOf, readAtMs, fault }: OriginReading) {
  return { kind: source, name, block, asOf, readAt: isoTimeOfMs(readAtMs), fault };
}
