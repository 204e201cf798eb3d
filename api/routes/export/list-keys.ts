import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import type { DocumentSigner } from '../../read/export/document-signer.ts';

/** @source RFC 7517; docs/exports.md#check-a-file-without-the-service */
export const listSigningKeys = defineRoute({
  id: 'listSigningKeys',
  base: '',
  path: '/.well-known/jwks.json',
  methods: ['get'],
  tag: 'export',
  summary: 'Public key of signed certificates and checkpoints',
  description: 'A JSON Web Key Set with one Ed25519 key. Keep a copy, to check signatures later without the service.',
  params: z.object({}),
  query: z.object({}),
  response: z
    .strictObject({
      keys: z.array(
        z.strictObject({
          kty: z.string().meta({ example: 'OKP' }),
          crv: z.string().meta({ example: 'Ed25519' }),
          x: z.string().meta({ description: 'Public key, base64url' }),
          kid: z.string().meta({ description: 'Id of the key: its thumbprint, RFC 7638' }),
          alg: z.string(),
          use: z.string(),
        }),
      ),
    })
    .meta({ id: 'SigningKeys' }),
  errors: [],
  maxAgeSeconds: 3_600,
  example: '/.well-known/jwks.json',
  handle: async ({ documentSigner }: { readonly documentSigner: DocumentSigner }) => {
    const { kty = '', crv = '', x = '', kid, alg = '', use = '' } = await documentSigner.publicKey();
    return { keys: [{ kty, crv, x, kid, alg, use }] };
  },
});
