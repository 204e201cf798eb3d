import { createHash } from 'node:crypto';
import type { FetchedDocument } from '#pipeline/sources/fetch-document.ts';

// biome-ignore lint/suspicious/noExplicitAny: manifests are broken on purpose
export type LooseManifest = any;

const kinds = ['wallet', 'contract', 'asset', 'did', 'organization', 'application', 'ecosystem', 'partner', 'cord'];

export const toId = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`;

/** Returns a manifest. @param entities need kind and label; missing ids are derived from both */
export function toManifest(
  entities: readonly LooseManifest[],
  more: Record<string, unknown> = {},
  version = '1',
): LooseManifest {
  const counts = Object.fromEntries(kinds.map((kind) => [kind, entities.filter((one) => one.kind === kind).length]));
  const listed = entities.map((one) => ({ id: toId(`${one.kind} ${one.label}`), ...one }));
  const head = { canon: '1.2', chainId: 271_828, version, generatedAt: '2026-11-20T10:00:00Z', counts };
  return { ...head, entities: listed, ...more };
}

export function toDocument(manifest: unknown): FetchedDocument {
  const bytes = Buffer.from(typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), source: 'file test.json' };
}
