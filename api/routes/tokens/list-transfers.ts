import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { readHashesOfRows } from '../../read/chain/block-hashes.ts';
import type { ScanDeps } from '../../read/chain/scan-budget.ts';
import { walkList } from '../../read/chain/walk-list.ts';
import type { ChainDeps, ListDeps, TimeDeps } from '../../read/reader-deps.ts';
import { requireToken, type TokenDeps } from '../../read/tokens/find-token.ts';
import {
  planTransferScan,
  type ScanMark,
  type TransferSelection,
  transferReader,
} from '../../read/tokens/read-transfers.ts';
import type { RecentTransfersDeps } from '../../read/tokens/recent-transfers.ts';
import { transferPlace } from '../../read/tokens/transfer-place.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Address, listWindow, shortPages, TokenAmount, toListSchema } from '../../terms/primitives.ts';
import { TokenId } from './nft-token.ts';
import { serializeTransfer, Transfer } from './transfer.ts';

type TransferDeps = ListDeps & TimeDeps & ScanDeps & RecentTransfersDeps & ChainDeps;

const minValue = TokenAmount.optional().meta({
  description: `Minimum value of a transfer, in the smallest unit of the token. ${shortPages}`,
});

type WindowQuery = z.output<z.ZodObject<typeof listWindow>>;

export const listTransfers = defineRoute({
  id: 'listTransfers',
  base: '/api/v1',
  path: '/tokentxns',
  methods: ['get'],
  tag: 'tokens',
  summary: 'List of token transfers',
  description:
    'Returns the token transfers of the chain, of one token or of one account. By default, the newest come first.',
  params: z.object({}),
  query: z.object({
    token: Address.optional().meta({ description: 'Return only transfers of this token' }),
    address: Address.optional().meta({ description: 'Return only transfers from or to this account' }),
    from: Address.optional().meta({ description: 'Return only transfers from this account' }),
    to: Address.optional().meta({ description: 'Return only transfers to this account' }),
    standard: z
      .enum(['erc20', 'erc721', 'erc1155', 'all'], 'must be erc20, erc721, erc1155 or all')
      .default('erc20')
      .meta({ description: 'Return only transfers of this token standard; all: every standard' }),
    minValue: minValue.meta({
      description: `Minimum value of a transfer, in the smallest unit of \`token\`, which must be given. ${shortPages}`,
    }),
    ...listWindow,
  }),
  response: toListSchema(Transfer),
  errors: ['bad_query', 'invalid_cursor', 'snapshot_invalidated', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/tokentxns?limit=2',
  handle: async (deps: TransferDeps, { query: { token, address, from, to, standard, minValue, ...query } }) => {
    if (minValue !== undefined && token === undefined)
      throw new ApiProblem('bad_query', 'minValue needs token: tokens have different units');
    if (address !== undefined && from !== undefined && to !== undefined && from !== address && to !== address)
      throw new ApiProblem('bad_query', 'if address, from and to are given, from or to must equal address');
    const wanted = standard === 'all' ? undefined : standard;
    return transferPage(deps, query, { token, address, from, to, standard: wanted, minValue });
  },
});

export const listTokenTransfers = defineRoute({
  ...listTransfers,
  id: 'listTokenTransfers',
  path: '/tokens/:address/transfers',
  summary: 'Transfers of one token',
  description: 'By default, the newest transfers come first.',
  params: z.object({ address: Address }),
  query: z.object({
    type: z.enum(['mint', 'burn', 'transfer'], 'must be mint, burn or transfer').optional().meta({
      description:
        'Return only transfers of this kind. mint: from the zero address. burn: to the zero address. transfer: all others',
    }),
    tokenId: TokenId.optional().meta({ description: 'Return only transfers of the NFT with this id' }),
    minValue,
    ...listWindow,
  }),
  errors: ['bad_query', 'invalid_cursor', 'snapshot_invalidated', 'not_found', 'indexing', 'store_unavailable'],
  example: '/tokens/{token}/transfers?limit=2',
  handle: async (
    deps: TransferDeps & TokenDeps,
    { params: { address }, query: { type, tokenId, minValue, ...query } },
  ) => {
    const page = await transferPage(deps, query, { token: address, kind: type, tokenId, minValue });
    if (page.items.length === 0) await deps.snapshots.run((state) => requireToken(deps, state, address));
    return page;
  },
});

async function transferPage(deps: TransferDeps, query: WindowQuery, selection: TransferSelection) {
  const { limit: _, order, cursor: __, ...bounds } = query;
  return walkList(deps, ['transfers', order, bounds, selection], query, async (walk) => {
    const { state } = walk;
    const scan = await planTransferScan(deps, state, selection, order, walk.window, walk.after);
    const mark: ScanMark = { stoppedAt: scan.stoppedAt };
    const read = transferReader(deps, state, selection, order, scan.window, mark);
    const { page, ...more } = await walk.read(read, transferPlace, mark);
    const getHash = await readHashesOfRows(deps, state, page);
    const items = page.map((row) => serializeTransfer(deps.settings.chainId, state, row, getHash(row)));
    return { items, ...more };
  });
}
