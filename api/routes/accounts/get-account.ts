import { z } from 'zod';
import { isoTime } from '#chain/codec/iso-time.ts';
import type { Moment } from '../../account-figures.ts';
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

const seenAt = (moment: Moment | undefined) =>
  moment === undefined ? null : { blockNumber: moment.block, timestamp: moment.time, datetime: isoTime(moment.time) };

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
      const [live, figures, labels] = await Promise.all([
        deps.accounts.read(address, state.head, state.headHash),
        deps.accountFigures.read(state, address),
        readLabels(deps, [address]),
      ]);
      return {
        chainId: deps.settings.chainId,
        address,
        type: live.type,
        balance: live.balance,
        balanceBlock: live.block,
        nonce: live.nonce,
        code: live.code,
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
        index: indexInfo(deps, state),
      };
    }),
});
