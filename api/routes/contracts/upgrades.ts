import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import { readUpgrades } from '../../read/contracts/proxy-history.ts';
import type { VerifiedContracts } from '../../read/contracts/verified-contracts.ts';
import type { CoverageDeps, SnapshotDeps, StoreDeps } from '../../read/reader-deps.ts';
import { Address, Count, HexAddress, HexHash, IndexInfo, Limit, UnixSeconds } from '../../terms/primitives.ts';

const Upgrade = z
  .strictObject({
    kind: z
      .enum(['implementation', 'beacon'])
      .meta({ description: 'implementation: event Upgraded; beacon: event BeaconUpgraded (EIP-1967)' }),
    address: HexAddress.meta({ description: 'New implementation or beacon' }),
    name: z.string().nullable().meta({ description: 'Name of the verified contract at this address' }),
    blockNumber: Count,
    logIndex: Count,
    txHash: HexHash,
    timestamp: UnixSeconds,
  })
  .meta({ id: 'ProxyUpgrade' });

export const listProxyUpgrades = defineRoute({
  id: 'listProxyUpgrades',
  base: '/api/v1',
  path: '/contracts/:address/upgrades',
  methods: ['get'],
  tag: 'contracts',
  summary: 'Implementations that a proxy had, newest first',
  description: 'Lists the EIP-1967 events that a proxy or beacon emitted. Changes without these events are missing.',
  params: z.object({ address: Address }),
  query: z.object({ limit: Limit }),
  response: z
    .strictObject({ items: z.array(Upgrade), limit: Count, index: IndexInfo })
    .meta({ id: 'ProxyUpgradeList' }),
  errors: ['bad_query', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/contracts/{token}/upgrades',
  handle: (
    deps: StoreDeps & SnapshotDeps & CoverageDeps & { readonly verified: VerifiedContracts },
    { params: { address }, query: { limit } },
  ) =>
    deps.snapshots.run(async (state) => {
      const upgrades = await readUpgrades(deps.database, state, address, limit);
      const names = await deps.verified.names(upgrades.map((each) => each.address));
      const items = upgrades.map((each) => ({ ...each, name: names.get(each.address) ?? null }));
      return { items, limit, index: indexInfo(deps, state) };
    }),
});
