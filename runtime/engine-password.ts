/** Password of the embedded ClickHouse, in a file in DATA_DIR that only its owner can read. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const passwordFileIn = (dataDir: string) => join(dataDir, 'clickhouse-password');

/**
 * Writes a password before the first start of the embedded ClickHouse. An existing one stays: a second start with the same
 * directory fails later, and must not lock out the clients of the engine that runs.
 */
export function makePassword(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true });
  const path = passwordFileIn(dataDir);
  if (existsSync(path) && /^[0-9a-f]{64}$/.test(readPassword(path))) return;
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
