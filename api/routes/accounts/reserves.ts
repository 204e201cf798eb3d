import { z } from 'zod';
import type { ChainState } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import type { DocumentSigner } from '../../read/export/document-signer.ts';
import { chargeRequests } from '../../read/query/query-turns.ts';
import type { ChainDeps, SnapshotDeps } from '../../read/reader-deps.ts';
import {
  type Book,
  Purpose,
  type ReservesDeps,
  readReserves,
  requireReservesBlock,
  writeReservesMessage,
} from '../../read/statements/reserves.ts';
import { Address, BlockNumber, Count, HexAddress, IndexInfo, Wei } from '../../terms/primitives.ts';
import { AccountList, maxAccounts } from './account-list.ts';

const PurposeField = Purpose.meta({
  description: 'Purpose of the proof; it is part of the signed text',
  example: 'Audit of 2026',
});

const ReservesBlock = z
  .strictObject({ number: Count, hash: z.string(), timestamp: Count })
  .meta({ id: 'ReservesBlock', description: 'Finalized block; the balances include its transactions' });

type Deps = ReservesDeps & SnapshotDeps & ChainDeps & { readonly documentSigner: DocumentSigner };

/** @source docs/statements.md */
export const getReservesMessage = defineRoute({
  id: 'getReservesMessage',
  base: '/api/v1',
  path: '/reserves/message',
  methods: ['get'],
  tag: 'accounts',
  summary: 'Text that accounts sign for a proof of reserves',
  description:
    'Each account signs this text (EIP-191; contract wallets EIP-1271). Send the signatures to POST /reserves with the same block and purpose.',
  params: z.object({}),
  query: z.object({
    accounts: AccountList.meta({
      description: `Up to ${maxAccounts} addresses, separated by commas`,
      example: '{account}',
    }),
    purpose: PurposeField,
    block: BlockNumber.optional().meta({ description: 'Finalized block (default: the newest one)' }),
  }),
  response: z
    .strictObject({ message: z.string(), block: ReservesBlock, accounts: z.array(HexAddress), purpose: z.string() })
    .meta({ id: 'ReservesMessage' }),
  errors: ['bad_query', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: '/reserves/message?accounts={account}&purpose=audit',
  handle: (deps: Deps, { query: { accounts, purpose, block: number } }) =>
    deps.snapshots.run(async (state) => {
      const block = await requireReservesBlock(deps, state, number);
      const message = writeReservesMessage({ chainId: deps.settings.chainId, accounts, purpose, block });
      return { message, block, accounts, purpose };
    }),
});

const SignedAccounts = z
  .array(z.strictObject({ address: Address, signature: z.string().regex(/^0x([0-9a-fA-F]{2}){1,4096}$/) }))
  .min(1)
  .max(maxAccounts)
  .refine((all) => new Set(all.map(({ address }) => address)).size === all.length, 'lists an account twice');

/** @source docs/statements.md */
export const postReserves = defineRoute({
  id: 'postReserves',
  base: '/api/v1',
  path: '/reserves',
  methods: ['post'],
  tag: 'accounts',
  summary: 'Proof of reserves: what accounts held, with their signatures',
  description:
    'Returns the balances of coin and tokens of the accounts after the block, and a document that the service signed (JWS). `cordscan check` verifies the document offline. The service stores nothing.',
  params: z.object({}),
  query: z.object({}),
  body: {
    schema: z.strictObject({
      accounts: SignedAccounts,
      purpose: PurposeField,
      block: z.int().min(0),
      tokens: z.array(Address).min(1).max(maxAccounts).optional().meta({
        description: 'Only these token contracts. Default: all tokens that the accounts hold, at most 10,000',
      }),
    }),
    maxBytes: 1_000_000,
    example: {
      accounts: [{ address: '{account}', signature: `0x${'11'.repeat(65)}` }],
      purpose: 'audit',
      block: 1,
    },
  },
  response: z
    .strictObject({
      message: z.string(),
      block: ReservesBlock,
      purpose: z.string(),
      accounts: z.array(
        z.strictObject({
          address: HexAddress,
          signature: z.string(),
          wallet: z.enum(['key', 'contract']).meta({
            description:
              'key: the key of the account made the signature (EIP-191). contract: the wallet contract confirmed the signature at this block (EIP-1271)',
          }),
          balance: Wei.meta({ description: 'Balance that a node returned, wei' }),
        }),
      ),
      coin: Wei.meta({ description: 'Sum of all balances, wei' }),
      tokens: z
        .array(
          z.strictObject({
            token: HexAddress,
            standard: z.string(),
            tokenId: z.string(),
            amount: z.string().meta({ description: 'Sum of the balances of all accounts, computed from transfers' }),
            amountAtNode: z.string().nullable().meta({
              description:
                'Sum of the balances that the contract returns at the block for the accounts that hold the token by transfers. It differs from amount for tokens that change balances without transfer events. null: a contract gave no answer, or was not asked (see tokensUnknownBecause)',
            }),
          }),
        )
        .nullable()
        .meta({
          description:
            'Tokens of all accounts, smallest unit; null if the index does not begin with the first block of the chain',
        }),
      tokensUnknownBecause: z.string().nullable().meta({
        description:
          'Why some contracts were not asked: there are more than 500 balances, many contracts did not answer, or no node could. Request fewer tokens. null: all were asked',
      }),
      document: z
        .string()
        .meta({ description: 'This reply as a signed document (compact JWS). Keys: /.well-known/jwks.json' }),
      index: IndexInfo,
    })
    .meta({ id: 'Reserves' }),
  errors: [
    ...['bad_query' as const, 'payload_too_large' as const, 'indexing' as const, 'rate_limited' as const],
    ...['node_unavailable' as const, 'state_unavailable' as const, 'store_unavailable' as const],
  ],
  cost: 10,
  maxAgeSeconds: 0,
  example: '/reserves',
  handle: async (deps: Deps, { body: { accounts: signed, purpose, block: number, tokens: asked }, charge }) => {
    await chargeRequests(charge, signed.length, 'proof');
    const prove = async (state: ChainState) => {
      const { chainId } = deps.settings;
      const block = await requireReservesBlock(deps, state, number);
      const book: Book = { chainId, accounts: signed.map(({ address }) => address), purpose, block };
      const { message, accounts, coin, tokens, tokensUnknownBecause } = await readReserves(
        deps,
        state,
        book,
        signed,
        asked,
      );
      const facts = {
        message,
        block,
        purpose,
        accounts: [...accounts],
        coin,
        tokens: tokens && [...tokens],
        tokensUnknownBecause,
      };
      const document = await deps.documentSigner.sign({ type: 'reserves', chainId, ...facts });
      return { ...facts, document, index: indexInfo(deps, state) };
    };
    // reads only finalized blocks, and calls a node for each contract wallet
    return deps.snapshots.run(prove, { isExpensive: true, isFinal: true });
  },
});
