/** @source docs/identity.md#sign-in-with-a-wallet; EIP-4361 */
import { z } from 'zod';
import type { AdmissionDeps } from '../../http/admission.ts';
import { defineRoute } from '../../http/define-route.ts';
import { tokenSeconds } from '../../read/identity/access-tokens.ts';
import { walletIdentity } from '../../read/identity/linked-wallets.ts';
import type { SignIn } from '../../read/identity/sign-in.ts';
import { Address, Count, HexAddress } from '../../terms/primitives.ts';

export const ChallengeReply = z
  .strictObject({
    nonce: z.string(),
    domain: z.string(),
    uri: z.string(),
    chainId: Count,
    statement: z.string(),
    expiresInSeconds: Count,
    message: z
      .string()
      .nullable()
      .meta({ description: 'Message that the wallet must sign; null if the request contains no address' }),
  })
  .meta({ id: 'SignInChallenge' });

export const ChallengeBody = z.strictObject({ address: Address.optional() });

export const SignedBody = z.strictObject({
  message: z.string().max(4_096),
  signature: z.string().regex(/^0x([0-9a-fA-F]{2}){1,4096}$/, 'must be 0x and 1 to 4096 hex-encoded bytes'),
});

export const signedExample = {
  message: 'localhost wants you to sign in with your Ethereum account: …',
  signature: '0x00',
};

export interface SignInDeps {
  readonly signIn: SignIn;
}

export interface CredentialDeps {
  readonly admission: Pick<AdmissionDeps, 'credentials'>;
}

export const postNonce = defineRoute({
  id: 'postNonce',
  base: '/api/v1',
  path: '/auth/nonce',
  methods: ['post'],
  tag: 'identity',
  summary: 'Creates a nonce for sign-in with a wallet',
  description:
    'The nonce can be used once, within ten minutes. If you send the address of the wallet, the reply also contains the message to sign.',
  params: z.object({}),
  query: z.object({}),
  body: { schema: ChallengeBody, maxBytes: 1_024, example: { address: '{account}' } },
  response: ChallengeReply,
  errors: ['bad_query', 'payload_too_large', 'sign_in_refused'],
  maxAgeSeconds: 0,
  example: '/auth/nonce',
  handle: async ({ signIn }: SignInDeps, { body }) => signIn.challenge({ kind: 'sign-in' }, body.address),
});

export const postSignIn = defineRoute({
  id: 'signIn',
  base: '/api/v1',
  path: '/auth/sign-in',
  methods: ['post'],
  tag: 'identity',
  summary: 'Exchanges a signed message for an access token',
  description:
    'The message follows EIP-4361. Contract wallets sign by EIP-1271, other wallets by EIP-191. The nonce in the message can be used once.',
  params: z.object({}),
  query: z.object({}),
  body: { schema: SignedBody, maxBytes: 20_480, example: signedExample },
  response: z
    .strictObject({
      accessToken: z.string(),
      tokenType: z.literal('Bearer'),
      expiresIn: Count.meta({ description: 'Seconds until the access token expires' }),
      identity: z.string(),
      wallets: z.array(HexAddress),
    })
    .meta({ id: 'AccessToken' }),
  errors: [
    'bad_query',
    'payload_too_large',
    'sign_in_refused',
    'node_unavailable',
    'state_unavailable',
    'store_unavailable',
  ],
  cost: 5,
  maxAgeSeconds: 0,
  example: '/auth/sign-in',
  handle: ({ signIn, admission: { credentials } }: SignInDeps & CredentialDeps, { body }) =>
    signIn.prove({ kind: 'sign-in' }, body.message, body.signature, async (wallet) => {
      const identity = walletIdentity(wallet);
      const [accessToken, wallets] = await Promise.all([
        credentials.tokens.issue(identity),
        credentials.wallets.of(identity),
      ]);
      return { accessToken, tokenType: 'Bearer' as const, expiresIn: tokenSeconds, identity, wallets: [...wallets] };
    }),
});
