import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { isoTime } from '#chain/codec/iso-time.ts';
import { eraBlocks } from '#sql/chain-tables.ts';
import { snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import { defineRoute } from '../../define-route.ts';
import { indexInfo } from '../../freshness.ts';
import { AddressLabel, readLabels } from '../../registry/address-labels.ts';
import { Count, HexAddress, HexHash, IndexInfo, IsoTime, UnixSeconds, Wei } from '../../schema/primitives.ts';
import { AccountId } from './account-id.ts';

const Seen = z.strictObject({ blockNumber: Count, timestamp: UnixSeconds, datetime: IsoTime });

const Account = z
  .strictObject({
    chainId: Count,
    address: HexAddress,
    type: z.enum(['eoa', 'contract', 'eip7702']),
    balance: Wei,
    balanceBlock: Count,
    nonce: Count,
    code: z.strictObject({ size: Count, hash: HexHash }).nullable(),
    labels: z.array(AddressLabel),
    firstSeen: Seen.nullable(),
    lastSeen: Seen.nullable(),
    counts: z.strictObject({ transactions: Count, sent: Count, received: Count, logs: Count }),
    totals: z.strictObject({ valueIn: Wei, valueOut: Wei, fees: Wei }),
    index: IndexInfo,
  })
  .meta({ id: 'Account' });

interface CounterRecord {
  transaction_count: string;
  sent_count: string;
  received_count: string;
  log_count: string;
  value_in: string;
  value_out: string;
  fees: string;
  first_block: string;
  last_block: string;
  first_time: number;
  last_time: number;
}

/** @source specification 4.4 and part 2, account look-up rules */
export const getAccount = defineRoute({
  id: 'getAccount',
  base: '/api/v1',
  path: '/accounts/:address',
  methods: ['get'],
  tag: 'accounts',
  summary: 'Balance, nonce, code and figures of one address; zeros for one never seen',
  section: '4.4',
  params: z.object({ address: AccountId }),
  query: z.object({}),
  response: Account,
  errors: ['bad_query', 'use_registry_entity', 'indexing', 'node_unavailable', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/accounts/{account}',
  handle: ({ snapshots, ...deps }, { params: { address } }) =>
    snapshots.run(async (state) => {
      const [live, rows, labels] = await Promise.all([
        deps.accounts.read(address, state.head, state.headHash),
        deps.database.read<CounterRecord>(getStatement(deps.statements, 'account_counters'), {
          ...snapshotParameters(state),
          ...{ address: hexDigits(address), era_through: state.eraThrough, era_blocks: eraBlocks },
        }),
        readLabels(deps, [address]),
      ]);
      const figures = rows[0]!;
      const seen = (block: string, time: number) => ({
        blockNumber: Number(block),
        timestamp: time,
        datetime: isoTime(time),
      });
      const isSeen = Number(figures.transaction_count) > 0;
      return {
        chainId: deps.settings.chainId,
        address,
        type: live.type,
        balance: live.balance,
        balanceBlock: live.block,
        nonce: live.nonce,
        code: live.code,
        labels: labels.get(address) ?? [],
        firstSeen: isSeen ? seen(figures.first_block, figures.first_time) : null,
        lastSeen: isSeen ? seen(figures.last_block, figures.last_time) : null,
        counts: {
          transactions: Number(figures.transaction_count),
          sent: Number(figures.sent_count),
          received: Number(figures.received_count),
          logs: Number(figures.log_count),
        },
        totals: { valueIn: figures.value_in, valueOut: figures.value_out, fees: figures.fees },
        index: indexInfo(deps, state),
      };
    }),
});
