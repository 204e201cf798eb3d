import { z } from 'zod';
import { standardCode, type TokenStandard } from '#chain/codec/token-abi.ts';
import { known } from '#runtime/known.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import type { ContractReader } from '../../read/accounts/contract-reader.ts';
import { genesisIndexInfo, isCertain } from '../../read/chain/freshness.ts';
import type { ChainDeps, CoverageDeps, SnapshotDeps, TimeDeps } from '../../read/reader-deps.ts';
import { countRecentTransfers } from '../../read/tokens/count-recent-transfers.ts';
import { requireToken, type TokenDeps } from '../../read/tokens/find-token.ts';
import type { RecentTransfersDeps } from '../../read/tokens/recent-transfers.ts';
import { heldAs } from '../../read/tokens/token-ledger.ts';
import { orUnknown } from '../../terms/errors.ts';
import { Address, Count, IndexInfo } from '../../terms/primitives.ts';
import { ActiveToken, toToken } from './token.ts';

export const Reconciliation = z
  .strictObject({
    heldTotal: z
      .string()
      .meta({ description: 'Sum of the balances of all holders, in the smallest unit of the token' }),
    totalSupply: z.string().nullable().meta({
      description: 'Return value of totalSupply() at the block of heldTotal; null if the call fails or no node answers',
    }),
    block: Count,
    reconciled: z
      .boolean()
      .nullable()
      .meta({ description: 'true if heldTotal equals totalSupply; null if one of these values is unknown' }),
  })
  .meta({ id: 'Reconciliation' });

const TokenDetail = ActiveToken.extend({
  reconciliation: Reconciliation,
  index: IndexInfo,
}).meta({ id: 'TokenDetail' });

export const getToken = defineRoute({
  id: 'getToken',
  base: '/api/v1',
  path: '/tokens/:address',
  methods: ['get'],
  tag: 'tokens',
  summary: 'One token contract',
  description:
    'Returns metadata and the numbers of holders and transfers, and compares the sum of all balances with the total supply.',
  params: z.object({ address: Address }),
  query: z.object({}),
  response: TokenDetail,
  errors: ['bad_query', 'not_found', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/tokens/{token}',
  handle: (
    deps: ReconcileDeps & RecentTransfersDeps & TimeDeps & CoverageDeps & SnapshotDeps & ChainDeps,
    { params: { address } },
  ) =>
    deps.snapshots.run(async (state) => {
      const row = await requireToken(deps, state, address);
      const [reconciliation, [transfers24h]] = await Promise.all([
        reconcile(deps, state, address, row.standard),
        countRecentTransfers(deps, state, [address.toLowerCase()]),
      ]);
      return {
        ...toToken(deps.settings.chainId, row),
        transfers24h: known(transfers24h, 'the transfers of a token'),
        reconciliation,
        index: genesisIndexInfo(deps, state),
      };
    }),
});

export interface ReconcileDeps extends TokenDeps {
  readonly contracts: ContractReader;
}

type TokenTotals = z.infer<typeof Reconciliation>;

/** Compares the sum of a token's balances, from transfers of one standard, with totalSupply() at the newest block. */
export async function reconcile(
  deps: ReconcileDeps,
  state: ChainState,
  address: string,
  standard: TokenStandard,
): Promise<TokenTotals> {
  const [figures, supply] = await Promise.all([
    deps.tokenLedger.of(state, address),
    orUnknown(deps.contracts.totalSupply(address, state.head, state.headHash)),
  ]);
  const heldTotal = String(figures ? heldAs(figures, standardCode(standard)).heldTotal : 0n);
  return {
    heldTotal,
    totalSupply: supply,
    block: state.head,
    reconciled: supply === null || state.startBlock > 0 || !isCertain(state) ? null : supply === heldTotal,
  };
}
