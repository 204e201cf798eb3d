import { z } from 'zod';
import { contractFields } from './config-contracts.ts';
import { blank, count, httpUrl } from './config-fields.ts';

const location = (description: string) => z.preprocess(blank, z.string().max(2_000).optional()).describe(description);

export const registryFields = {
  ...contractFields,
  REGISTRY_URL: location(
    'File or HTTPS URL of the registry manifest (a list of named entities), read every SOURCES_REFRESH_SECONDS; unset: only manual imports',
  ),
  REGISTRY_SHA256: z
    .preprocess(
      blank,
      z
        .string()
        .regex(/^[0-9a-fA-F]{64}$/, 'must be a SHA-256 in 64 hex digits')
        .toLowerCase()
        .optional(),
    )
    .describe('Expected SHA-256 of the registry manifest; unset: not checked'),
  ECOSYSTEM_DIRECTORY_URL: location(
    'File or HTTPS URL of the ecosystem directory (a list of projects from the deployment console); unset: none',
  ),
  SOURCES_REFRESH_SECONDS: count(
    300,
    'Interval between reads of the registry manifest and the ecosystem directory, seconds',
    1,
    86_400,
  ),
  SOURCES_MAX_BYTES: count(
    268_435_456,
    'Maximum size of the registry manifest or the ecosystem directory after decompression, bytes',
    1_024,
    536_870_912,
  ),
  SOURCES_TIMEOUT_SECONDS: count(
    60,
    'Timeout to read the complete registry manifest or ecosystem directory, seconds',
    1,
    3_600,
  ),
  AGENT_TESTIMONY_CONTRACT: z
    .preprocess(
      blank,
      z
        .string()
        .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hex digits')
        .toLowerCase()
        .optional(),
    )
    .describe('Contract in which AI agents register and record statements (testimonies); unset: none'),
  VALIDATORS_METHOD: z
    .preprocess(
      blank,
      z
        .string()
        .regex(/^x_[A-Za-z0-9_]{1,64}$/, 'must be a method name: x_ and 1 to 64 letters, digits or _')
        .optional(),
    )
    .describe('Node method that returns the validators and their schedule; unset: only block producers are listed'),
  NFT_METADATA: z
    .preprocess(blank, z.enum(['on', 'off']).default('on'))
    .describe(
      'Whether the pipeline fetches metadata and pictures of viewed NFTs, only by HTTPS from public IP addresses',
    ),
  NFT_METADATA_MAX_BYTES: count(
    10_737_418_240,
    'Maximum disk space of NFT metadata and pictures, bytes; beyond it, none is fetched until older ones expire (90 days)',
    1_048_576,
  ),
  IPFS_GATEWAY: z
    .preprocess(
      (value) => value ?? 'https://ipfs.io',
      z.union([z.literal('').transform(() => undefined), httpUrl.transform((text) => text.replace(/\/+$/, ''))]),
    )
    .describe('Base URL of the IPFS gateway for ipfs:// URIs of NFT metadata (default https://ipfs.io); empty: none'),
  INTEGRATION_REQUESTS_PER_HOUR: count(
    5,
    'Maximum integration requests (contact form for exchanges) per address and hour',
    1,
  ),
};
