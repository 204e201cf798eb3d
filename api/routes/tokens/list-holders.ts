import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { standardCode } from '#chain/codec/token-abi.ts';
import { known } from '#runtime/known.ts';
import { defineRoute } from '../../http/define-route.ts';
import { absent, genesisIndexInfo } from '../../read/chain/freshness.ts';
import { makeKeyedPage } from '../../read/chain/paging.ts';
import type { ChainDeps, ListDeps } from '../../read/reader-deps.ts';
import { requireToken } from '../../read/tokens/find-token.ts';
import { firstPlace, type HolderPlace, type HolderReader, placeOfHolder } from '../../read/tokens/holder-reader.ts';
import { heldAs } from '../../read/tokens/token-ledger.ts';
import { type CursorKey, damaged, decodeCursor } from '../../terms/cursor.ts';
import { Address, Count, HexAddress, pageParameters, toListSchema } from '../../terms/primitives.ts';
import { type ReconcileDeps, Reconciliation, reconcile } from './get-token.ts';
import { TokenStandardName } from './token.ts';

const Holder = z
  .strictObject({
    chainId: Count,
    address: HexAddress,
    balance: z
      .string()
      .meta({ description: 'Balance of the holder in the smallest unit of the token; for NFTs the number of tokens' }),
    share: z.string().nullable().meta({
      description:
        'Share of this holder in the sum of all balances of the token, 0 to 1 with six decimals; null if the sum is 0',
    }),
  })
  .meta({ id: 'Holder' });

export const listTokenHolders = defineRoute({
  id: 'listTokenHolders',
  base: '/api/v1',
  path: '/tokens/:address/holders',
  methods: ['get'],
  tag: 'tokens',
  summary: 'Holders of a token',
  description:
    'The holders with the highest balance come first. Balances are wrong for tokens whose balances change without transfer events, such as a wrapped coin that emits only Deposit and Withdrawal; `reconciliation` of the token compares their sum with the supply.',
  params: z.object({ address: Address }),
  query: z.object({
    standard: TokenStandardName.optional().meta({
      description:
        'Count only balances of this token standard. Needed for contracts that implement several standards (default: the standard that /tokens/{address} returns)',
    }),
    ...pageParameters,
  }),
  response: toListSchema(Holder).extend({ holders: Count, reconciliation: Reconciliation }),
  errors: ['bad_query', 'invalid_cursor', 'not_found', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/tokens/{token}/holders?limit=2',
  handle: (
    deps: ListDeps & ReconcileDeps & ChainDeps & { readonly holders: HolderReader },
    { params: { address }, query: { standard, limit, cursor } },
  ) => {
    const filter = deps.cursors(['holders', address, ...(standard ? [standard] : [])]);
    const after = cursor === undefined ? firstPlace : parsePosition(decodeCursor(filter, cursor).key);
    return deps.snapshots.run(async (state) => {
      const token = await requireToken(deps, state, address);
      const figures = known(await deps.tokenLedger.of(state, address), 'ledger of a token');
      const shown = standard ?? token.standard;
      if (standard && standard !== token.standard && !figures.seenCodes.includes(standardCode(standard)))
        throw absent(deps, state, `${standard} token ${address}`);
      const [rows, reconciliation] = await Promise.all([
        deps.holders.read(state, { token: address, code: standardCode(shown) }, after, limit + 1),
        reconcile(deps, state, address, shown),
      ]);
      const { page, ...more } = makeKeyedPage(rows, filter, limit, (row) => [
        String(placeOfHolder(row).inverse),
        hexDigits(row.address),
      ]);
      const items = page.map((row) => ({
        chainId: deps.settings.chainId,
        address: row.address,
        balance: row.balance.toString(),
        share: computeShare(row.balance, BigInt(reconciliation.heldTotal)),
      }));
      const { holders } = heldAs(figures, standardCode(shown));
      return { items, ...more, limit, holders, reconciliation, index: genesisIndexInfo(deps, state) };
    });
  },
});

/** Returns part / whole with six decimals; null if the whole is 0. */
export function computeShare(part: bigint, whole: bigint): string | null {
  if (whole <= 0n) return null;
  return `${(Number((part * 1_000_000n) / whole) / 1_000_000).toFixed(6)}`;
}

function parsePosition([inverse, holder]: CursorKey): HolderPlace {
  if (!/^\d{1,78}$/.test(String(inverse)) || !/^[0-9a-f]{40}$/.test(String(holder))) throw damaged();
  return { inverse: BigInt(String(inverse)), address: `0x${holder}` };
}
