/** Configuration of registry, directory, agents and integration requests. */
import { z } from 'zod';
import { blank, count } from './config-fields.ts';

const location = (description: string) => z.preprocess(blank, z.string().max(2_000).optional()).describe(description);

export const registryFields = {
  REGISTRY_URL: location(
    'Manifest of the registry, file or HTTPS URL, looked at by schedule; absent: what was imported by hand',
  ),
  REGISTRY_SHA256: z
    .preprocess(
      blank,
      z
        .string()
        .regex(/^[0-9a-fA-F]{64}$/, 'is no SHA-256: 64 hex digits')
        .toLowerCase()
        .optional(),
    )
    .describe('SHA-256 that the manifest must have; absent: any'),
  ECOSYSTEM_DIRECTORY_URL: location('Directory of the deployment console, file or HTTPS URL; absent: there is none'),
  SOURCES_REFRESH_SECONDS: count(300, 'How often manifest and directory are looked at, seconds', 1, 86_400),
  SOURCES_MAX_BYTES: count(268_435_456, 'Largest manifest or directory, bytes after decompression', 1_024, 536_870_912),
  SOURCES_TIMEOUT_SECONDS: count(60, 'Time-out of reading one of them, the whole of it, seconds', 1, 3_600),
  AGENT_TESTIMONY_CONTRACT: z
    .preprocess(
      blank,
      z
        .string()
        .regex(/^0x[0-9a-fA-F]{40}$/, 'is no address')
        .toLowerCase()
        .optional(),
    )
    .describe('Contract of AI agents and their testimonies; absent: there are none'),
  VALIDATORS_METHOD: z
    .preprocess(
      blank,
      z
        .string()
        .regex(/^x_[A-Za-z0-9_]{1,64}$/, 'is no x_ method')
        .optional(),
    )
    .describe('Method of the node that tells validators and their turns; absent: producers of blocks alone'),
  INTEGRATION_REQUESTS_PER_HOUR: count(5, 'Integration requests that one address may send in an hour', 1),
};
