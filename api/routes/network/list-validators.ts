import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { isoTime } from '#chain/codec/iso-time.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { defineRoute } from '../../http/define-route.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import type { ValidatorReader, ValidatorSet } from '../../read/chain/validators.ts';
import type { CoverageDeps, SnapshotDeps, StoreDeps } from '../../read/reader-deps.ts';
import { AddressLabel, type LabelDeps, readLabels } from '../../read/registry/address-labels.ts';
import { Count, HexAddress, IndexInfo, IsoTime, UnixSeconds, Wei } from '../../terms/primitives.ts';
import { shareOf } from '../tokens/list-holders.ts';

/** Blocks in which an active validator has produced at least one. */
const windowBlocks = 10_000;
const maxValidators = 1_000;

const Validator = z
  .strictObject({
    address: HexAddress,
    name: z.string().nullable().meta({ description: 'As the node says' }),
    labels: z.array(AddressLabel),
    status: z.enum(['active', 'producer', 'idle']).meta({
      description:
        'active: in the set and producing; idle: in the set, no block in the window; producer: has produced, whether in a set is not known or no',
    }),
    blocks: Count.meta({ description: 'Blocks produced in the window' }),
    share: z.string().nullable().meta({ description: 'Part of the blocks of the window, 0 to 1' }),
    turns: Count.nullable().meta({
      description: 'Blocks of the window that were its turn; null where turns are not known',
    }),
    missed: Count.nullable().meta({ description: 'Of them produced by another one' }),
    uptime: z.string().nullable().meta({ description: 'Part of its turns that it took, 0 to 1' }),
    tips: Wei.meta({ description: 'Fees above the burned base fee in those blocks' }),
    lastBlock: Count.nullable(),
    lastSeen: UnixSeconds.nullable(),
    lastSeenDatetime: IsoTime.nullable(),
  })
  .meta({ id: 'Validator' });

type ProducerRecord = RowOf<'producers'>;
type TurnRecord = RowOf<'turns'>;

interface ValidatorDeps extends LabelDeps {
  readonly validators: ValidatorReader;
}

/** @source specification 4.2; derived from the producers of the newest blocks, and from the set and turns that the node tells where it does */
export const listValidators = defineRoute({
  id: 'listValidators',
  base: '/api/v1',
  path: '/validators',
  methods: ['get'],
  tag: 'network',
  summary: 'Active validators: producers of the newest blocks, and the turns they missed where the node tells turns',
  section: '4.2',
  params: z.object({}),
  query: z.object({}),
  response: z.strictObject({
    items: z.array(Validator),
    total: Count,
    window: z.strictObject({ blocks: Count, fromBlock: Count, toBlock: Count }),
    schedule: z.enum(['round-robin']).nullable(),
    source: z.string().meta({ description: 'block producers, and the method that told the set' }),
    fault: z.string().nullable().meta({ description: 'Why the method told nothing' }),
    asOf: Count.meta({ description: 'Block' }),
    index: IndexInfo,
  }),
  errors: ['indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/validators',
  handle: async (deps: ValidatorDeps & SnapshotDeps & CoverageDeps) => {
    const answer = await deps.validators.read();
    const set = answer && 'validators' in answer ? answer : undefined;
    return deps.snapshots.run(async (state) => {
      const [rows, turns] = await Promise.all([readProducers(deps, state), readTurns(deps, state, set)]);
      const blocks = Number(rows[0]?.window_total ?? 0);
      const produced = new Map(rows.map((row) => [row.address, row]));
      const addresses = [...new Set([...produced.keys(), ...(set?.validators.map(({ address }) => address) ?? [])])];
      const labels = await readLabels(deps, addresses);
      const names = new Map(set?.validators.map(({ address, name }) => [address, name ?? null]));
      const items = addresses.map((address) => ({
        address,
        name: names.get(address) ?? null,
        labels: labels.get(address) ?? [],
        status: statusOf(produced.has(address), names.has(address)),
        ...figuresOf(produced.get(address), blocks),
        ...turnsOf(turns.get(address)),
      }));
      return {
        items,
        total: items.length,
        schedule: set?.schedule ?? null,
        window: { blocks, fromBlock: Math.max(state.startBlock, state.head - windowBlocks + 1), toBlock: state.head },
        source: set ? `block producers; ${deps.validators.method}` : 'block producers',
        fault: answer && 'fault' in answer ? answer.fault : null,
        asOf: state.head,
        index: indexInfo(deps, state),
      };
    });
  },
});

const statusOf = (isProducing: boolean, isListed: boolean) =>
  !isListed ? ('producer' as const) : isProducing ? ('active' as const) : ('idle' as const);

function readProducers({ database }: StoreDeps, state: ChainState): Promise<ProducerRecord[]> {
  return database.read('producers', {
    ...snapshotParameters(state),
    window_blocks: windowBlocks,
    limit: maxValidators,
  });
}

async function readTurns(
  { database }: StoreDeps,
  state: ChainState,
  set: ValidatorSet | undefined,
): Promise<Map<string, TurnRecord>> {
  if (!set?.schedule || set.validators.length === 0) return new Map();
  const rows = await database.read('turns', {
    ...snapshotParameters(state),
    window_blocks: windowBlocks,
    validators: set.validators.map(({ address }) => hexDigits(address)),
  });
  return new Map(rows.map((row) => [row.address, row]));
}

function figuresOf(row: ProducerRecord | undefined, blocks: number) {
  if (!row)
    return {
      blocks: 0,
      share: shareOf(0n, BigInt(blocks)),
      tips: '0',
      lastBlock: null,
      lastSeen: null,
      lastSeenDatetime: null,
    };
  return {
    blocks: Number(row.block_count),
    share: shareOf(BigInt(row.block_count), BigInt(blocks)),
    tips: row.tips,
    lastBlock: Number(row.last_block),
    lastSeen: row.last_time,
    lastSeenDatetime: isoTime(row.last_time),
  };
}

function turnsOf(row: TurnRecord | undefined) {
  if (!row) return { turns: null, missed: null, uptime: null };
  const [turns, missed] = [Number(row.turns), Number(row.missed)];
  return { turns, missed, uptime: shareOf(BigInt(turns - missed), BigInt(turns)) };
}
