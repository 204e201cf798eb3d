/**
 * The password of the embedded engine. Each start creates a new one, in a file that only the owner of the data directory
 * can read. Whoever can read that file can read the tables as well.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const passwordFileIn = (dataDir: string) => join(dataDir, 'clickhouse-password');

/** Writes a new password for the engine that is about to start. */
export function makePassword(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true });
  const path = passwordFileIn(dataDir);
  writeFileSync(`${path}.new`, randomBytes(32).toString('hex'), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** @throws Error where no engine was started over that data directory */
export function readPassword(path: string): string {
  return readFileSync(path, 'utf8');
}

/** In a time that says nothing of where they differ. */
export function isSamePassword(given: string, own: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(own));
}
