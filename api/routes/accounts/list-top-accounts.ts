import { z } from 'zod';
import type { RowOf } from '#sql/statement-types.ts';
import { defineRoute } from '../../http/define-route.ts';
import { type TopAccountsDeps, topAccounts } from '../../read/accounts/top-accounts.ts';
import { genesisIndexInfo } from '../../read/chain/freshness.ts';
import { makeKeyedPage } from '../../read/chain/paging.ts';
import type { ChainDeps, ListDeps } from '../../read/reader-deps.ts';
import { type LabelDeps, readLabels } from '../../read/registry/address-labels.ts';
import type { SupplyReaderDeps } from '../../read/supply/supply-reader.ts';
import { type CursorKey, damaged, decodeCursor } from '../../terms/cursor.ts';
import { Count, HexAddress, pageParameters, toListSchema, Wei } from '../../terms/primitives.ts';
import { computeShare } from '../tokens/list-holders.ts';

const TopAccount = z
  .strictObject({
    chainId: Count,
    rank: Count,
    address: HexAddress,
    balance: Wei,
    balanceBlock: Count.meta({ description: 'Block at which the balance was last read' }),
    label: z
      .string()
      .nullable()
      .meta({ description: 'First label of the address in the registry; null if the address has no label' }),
    share: z.string().nullable().meta({
      description: 'Share of this account in the total supply, 0 to 1 with six decimals; null if the supply is unknown',
    }),
  })
  .meta({ id: 'TopAccount' });

export const listTopAccounts = defineRoute({
  id: 'listTopAccounts',
  base: '/api/v1',
  path: '/accounts/top',
  methods: ['get'],
  tag: 'accounts',
  summary: 'Accounts with the highest balance of the native coin',
  description: 'Lists at most the 10,000 richest accounts: /accounts/snapshot has all of them.',
  params: z.object({}),
  query: z.object(pageParameters),
  response: toListSchema(TopAccount).extend({
    snapshotBlock: Count.meta({
      description:
        'Last block whose transactions are included in the balances. Internal transfers may be included later',
    }),
    supply: z.strictObject({ total: Wei, block: Count }).nullable().meta({
      description:
        'Total supply as in /supply/reconciliation, with the block for which it was computed; null if currently unknown',
    }),
    known: Wei.meta({ description: 'Sum of the balances of all accounts in the index, wei' }),
    unaccounted: z.string().nullable().meta({
      description:
        'Total supply minus known balances, wei: coins of accounts that the index does not know, for example genesis accounts if GENESIS_FILE is not set. Negative if the configured supply is too low',
    }),
    accounts: Count.meta({ description: 'Number of accounts with a balance above 0' }),
  }),
  errors: ['bad_query', 'invalid_cursor', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 3,
  example: '/accounts/top?limit=2',
  handle: (
    deps: ListDeps & TopAccountsDeps & SupplyReaderDeps & LabelDeps & ChainDeps,
    { query: { limit, cursor } },
  ) => {
    const scope = deps.cursors(['top accounts']);
    const after = cursor === undefined ? undefined : parsePosition(decodeCursor(scope, cursor).key);
    return deps.snapshots.run(async (state) => {
      const { rows, through } = await topAccounts(deps, state);
      const skip = after === undefined ? 0 : rows.findIndex((row) => isBehind(row, after));
      const shown = skip < 0 ? [] : rows.slice(skip, skip + limit + 1);
      const supply = deps.supply.peek(deps);
      const labels = await readLabels(
        deps,
        shown.map((row) => row.account),
      );
      const ranked = shown.map((row, i) => ({
        chainId: deps.settings.chainId,
        rank: skip + i + 1,
        address: row.account,
        balance: row.wei,
        balanceBlock: Number(row.block_number),
        label: labels.get(row.account)?.[0]?.label ?? null,
        share: supply ? computeShare(BigInt(row.wei), supply.total) : null,
      }));
      const { page: items, ...more } = makeKeyedPage(ranked, scope, limit, (row) => [row.balance, row.address]);
      const accounts = Number(rows[0]?.accounts ?? 0);
      const known = BigInt(rows[0]?.total ?? 0);
      const sums = {
        supply: supply ? { total: supply.total.toString(), block: supply.block } : null,
        known: known.toString(),
        unaccounted: supply ? (supply.total - known).toString() : null,
      };
      return { items, ...more, limit, snapshotBlock: through, accounts, ...sums, index: genesisIndexInfo(deps, state) };
    });
  },
});

interface RankPosition {
  readonly balance: bigint;
  readonly address: string;
}

/** Ranks change between pages, so a page begins after the last account of the previous page, not at a rank. */
function parsePosition([balance, address]: CursorKey): RankPosition {
  if (!/^\d{1,78}$/.test(String(balance)) || !/^0x[0-9a-f]{40}$/.test(String(address))) throw damaged();
  return { balance: BigInt(String(balance)), address: String(address) };
}

function isBehind({ wei, account }: RowOf<'top_accounts'>, { balance, address }: RankPosition): boolean {
  const own = BigInt(wei);
  return own < balance || (own === balance && account > address);
}
