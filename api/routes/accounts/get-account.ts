import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { isoTime } from '#chain/codec/iso-time.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import type { AccountFiguresReader, Moment } from '../../read/accounts/account-figures.ts';
import type { AccountReader } from '../../read/accounts/account-reader.ts';
import { genesisIndexInfo } from '../../read/chain/freshness.ts';
import type { ChainDeps, CoverageDeps, SnapshotDeps } from '../../read/reader-deps.ts';
import { AddressLabel, type LabelDeps, readLabels } from '../../read/registry/address-labels.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Count, HexAddress, HexHash, IndexInfo, IsoTime, UnixSeconds, Wei } from '../../terms/primitives.ts';
import { AccountId } from './account-id.ts';

const Seen = z.strictObject({ blockNumber: Count, timestamp: UnixSeconds, datetime: IsoTime });

const Account = z
  .strictObject({
    chainId: Count,
    address: HexAddress,
    type: z
      .enum(['eoa', 'contract', 'eip7702', 'unknown'])
      .meta({ description: 'Account type; unknown if no node could return the code of the account' }),
    balance: Wei.nullable().meta({
      description: 'Balance of the account at the block balanceBlock, wei; null if unknown',
    }),
    balanceBlock: Count.nullable().meta({
      description: 'Block at which the balance was read; null if unknown',
    }),
    nonce: Count.nullable().meta({
      description: 'Nonce of the account at the newest block; null if no node could return it',
    }),
    code: z.strictObject({ size: Count, hash: HexHash }).nullable(),
    stateSource: z.enum(['node', 'index', 'none']).meta({
      description:
        'Source of the account state. node: a node returned balance, nonce and code. index: no node answered, so balance is the last stored one. none: the state is unknown',
    }),
    labels: z.array(AddressLabel),
    firstSeen: Seen.nullable(),
    lastSeen: Seen.nullable(),
    counts: z.strictObject({ transactions: Count, sent: Count, received: Count, logs: Count }),
    totals: z.strictObject({ valueIn: Wei, valueOut: Wei, fees: Wei }),
    index: IndexInfo,
  })
  .meta({ id: 'Account' });

interface AccountDeps extends LabelDeps, SnapshotDeps {
  readonly accounts: AccountReader;
  readonly accountFigures: AccountFiguresReader;
}

const seenAt = (moment: Moment | undefined) =>
  moment === undefined ? null : { blockNumber: moment.block, timestamp: moment.time, datetime: isoTime(moment.time) };

export const getAccount = defineRoute({
  id: 'getAccount',
  base: '/api/v1',
  path: '/accounts/:address',
  methods: ['get'],
  tag: 'accounts',
  summary: 'Balance, nonce, code and activity of one address',
  description: 'An address that is not in the index is no error: its counts and totals are 0.',
  params: z.object({ address: AccountId }),
  query: z.object({}),
  response: Account,
  errors: ['bad_query', 'use_registry_entity', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/accounts/{account}',
  handle: (deps: AccountDeps & CoverageDeps & ChainDeps, { params: { address } }) =>
    deps.snapshots.run(async (state) => {
      const [live, figures, labels] = await Promise.all([
        readState(deps, state, address),
        deps.accountFigures.read(state, address),
        readLabels(deps, [address]),
      ]);
      return {
        chainId: deps.settings.chainId,
        address,
        ...live,
        labels: labels.get(address) ?? [],
        firstSeen: seenAt(figures.first),
        lastSeen: seenAt(figures.last),
        counts: {
          transactions: figures.transactions,
          sent: figures.sent,
          received: figures.received,
          logs: figures.logs,
        },
        totals: { valueIn: String(figures.valueIn), valueOut: String(figures.valueOut), fees: String(figures.fees) },
        index: genesisIndexInfo(deps, state),
      };
    }),
});

/** Reads the account state from a node. If no node answers, returns the stored balance or nulls. */
async function readState({ accounts, database }: AccountDeps, state: ChainState, address: string) {
  try {
    const { block, ...live } = await accounts.read(address, state.head, state.headHash);
    return { ...live, balanceBlock: block, stateSource: 'node' as const };
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    const [stored] = await database.read('stored_balance', { address: hexDigits(address) });
    const unknown = { type: 'unknown' as const, nonce: null, code: null };
    if (!stored) return { ...unknown, balance: null, balanceBlock: null, stateSource: 'none' as const };
    const { wei: balance, block_number } = stored;
    return { ...unknown, balance, balanceBlock: Number(block_number), stateSource: 'index' as const };
  }
}
