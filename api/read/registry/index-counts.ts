import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { Cache } from '../../cache/cache.ts';
import { type FigureDeps, readClosedTotals, readFigures } from '../chain/figures.ts';

type Pair = Readonly<Record<'wallet' | 'contract', number>>;

export interface IndexCounts {
  readonly counts: Pair;
  readonly inBoth: Pair;
}

export interface IndexCountDeps extends FigureDeps {
  readonly registryCounts: Cache<IndexCounts>;
}

/**
 * Counts the indexed wallets and contracts, and how many of them the registry manifest lists.
 * @param manifest SHA-256, 64 hex digits
 */
export function readIndexCounts(deps: IndexCountDeps, state: ChainState, manifest: string): Promise<IndexCounts> {
  return deps.registryCounts.of(manifest, state, async () => {
    const closed = await readClosedTotals(deps, state);
    const [row, figures] = await Promise.all([
      deps.database.readOne('registry_index_counts', {
        ...snapshotParameters(state),
        manifest,
        hour_through: state.hourThrough,
        from_block: Number(closed.live_from),
      }),
      readFigures(deps, state),
    ]);
    return {
      counts: { wallet: Number(row.senders), contract: figures.contracts },
      inBoth: { wallet: Number(row.listed_wallets), contract: Number(row.listed_contracts) },
    };
  });
}
