/** Password of the embedded ClickHouse. Each start writes a new password to DATA_DIR, readable only by its owner. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const passwordFileIn = (dataDir: string) => join(dataDir, 'clickhouse-password');

/** Writes a new password. Call this function before the embedded ClickHouse starts. */
export function makePassword(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true });
  const path = passwordFileIn(dataDir);
  writeFileSync(`${path}.new`, randomBytes(32).toString('hex'), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** @throws Error if no embedded ClickHouse has started with this data directory */
export function readPassword(path: string): string {
  return readFileSync(path, 'utf8');
}

export function isSamePassword(given: string, own: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(own));
}
