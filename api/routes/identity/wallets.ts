/**
 * Each wallet of an identity signs the message that links it.
 * @source docs/identity.md#wallets-of-an-identity
 */
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { Address, HexAddress } from '../../terms/primitives.ts';
import {
  ChallengeBody,
  ChallengeReply,
  type CredentialDeps,
  SignedBody,
  type SignInDeps,
  signedExample,
} from './sign-in.ts';

const IdentityReply = z
  .strictObject({ identity: z.string(), wallets: z.array(HexAddress), isOperator: z.boolean() })
  .meta({ id: 'Identity' });

const WalletsReply = z.strictObject({ wallets: z.array(HexAddress) });

export const getIdentity = defineRoute({
  id: 'getIdentity',
  base: '/api/v1',
  path: '/auth/identity',
  methods: ['get'],
  tag: 'identity',
  summary: 'Your identity, as proved by your credentials',
  description: 'Returns the wallets linked to your identity, and whether you are an operator.',
  params: z.object({}),
  query: z.object({}),
  response: IdentityReply,
  errors: ['unauthorized', 'invalid_api_key', 'key_revoked', 'store_unavailable'],
  access: 'credential',
  maxAgeSeconds: 0,
  example: '/auth/identity',
  handle: async (_deps: unknown, { identity }) => {
    const { id, wallets, isOperator } = identity;
    return { identity: id, wallets: [...wallets], isOperator };
  },
});

export const postLinkNonce = defineRoute({
  id: 'postLinkNonce',
  base: '/api/v1',
  path: '/auth/wallets/nonce',
  methods: ['post'],
  tag: 'identity',
  summary: 'Creates a nonce for linking another wallet',
  description:
    'With this nonce, you link the wallet to your identity. If you send the address of the wallet, the reply also contains the message to sign.',
  params: z.object({}),
  query: z.object({}),
  body: { schema: ChallengeBody, maxBytes: 1_024, example: { address: '{account}' } },
  response: ChallengeReply,
  errors: ['bad_query', 'payload_too_large', 'unauthorized', 'sign_in_refused'],
  access: 'token',
  maxAgeSeconds: 0,
  example: '/auth/wallets/nonce',
  handle: async ({ signIn }: SignInDeps, { body, identity }) =>
    signIn.challenge({ kind: 'link', identity: identity.id }, body.address),
});

/** Approximate size of a stored link. */
const linkBytes = 256;

export const linkWallet = defineRoute({
  id: 'linkWallet',
  base: '/api/v1',
  path: '/auth/wallets',
  methods: ['post'],
  tag: 'identity',
  summary: 'Links a wallet to your identity',
  description: 'The wallet that you link must have signed the message.',
  params: z.object({}),
  query: z.object({}),
  body: { schema: SignedBody, maxBytes: 20_480, example: signedExample },
  response: WalletsReply,
  errors: [
    'bad_query',
    'payload_too_large',
    'unauthorized',
    'sign_in_refused',
    'wallet_conflict',
    'rate_limited',
    'node_unavailable',
    'state_unavailable',
    'store_unavailable',
  ],
  access: 'token',
  cost: 5,
  maxAgeSeconds: 0,
  example: '/auth/wallets',
  handle: ({ signIn, admission }: SignInDeps & CredentialDeps, { body, identity, keep }) => {
    const { id } = identity;
    return signIn.prove({ kind: 'link', identity: id }, body.message, body.signature, async (wallet) => {
      await keep(linkBytes); // unlinked wallets count too
      return { wallets: [...(await admission.credentials.wallets.link(id, wallet))] };
    });
  },
});

export const unlinkWallet = defineRoute({
  id: 'unlinkWallet',
  base: '/api/v1',
  path: '/auth/wallets/:address',
  methods: ['delete'],
  tag: 'identity',
  summary: 'Unlinks a wallet from your identity',
  description: 'Within 5 seconds, your credentials no longer give access to data of this wallet.',
  params: z.object({ address: Address }),
  query: z.object({}),
  response: WalletsReply,
  errors: ['bad_query', 'unauthorized', 'not_found', 'wallet_conflict', 'store_unavailable'],
  access: 'token',
  maxAgeSeconds: 0,
  example: '/auth/wallets/{account}',
  handle: async ({ admission }: CredentialDeps, { params, identity }) => ({
    wallets: [...(await admission.credentials.wallets.unlink(identity.id, params.address))],
  }),
});
