/**
 * Password of the embedded ClickHouse. Each start makes a new one, and writes it to DATA_DIR, readable only by its owner,
 * once the engine has the lock of DATA_DIR: until then, another engine may use the one before.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const passwordFileIn = (dataDir: string) => join(dataDir, 'clickhouse-password');

/** File with the port of the engine that has the lock of DATA_DIR, or had it last. */
export const portFileIn = (dataDir: string) => join(dataDir, 'clickhouse-port');

/** Message of the engine that has the lock of DATA_DIR, and waits for `published` before it accepts connections. */
export const opened = { opened: true } as const;
export const published = { published: true } as const;

export const makePassword = (): string => randomBytes(32).toString('hex');

/** Tells clients how to reach the engine that has the lock of DATA_DIR. */
export function publishEngine(dataDir: string, { password, port }: { password: string; port: number }): void {
  const path = passwordFileIn(dataDir);
  writeFileSync(`${path}.new`, password, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  writeFileSync(portFileIn(dataDir), String(port));
}

/** @throws Error if no embedded ClickHouse has started with this data directory */
export function readPassword(path: string): string {
  return readFileSync(path, 'utf8');
}

export function isSamePassword(given: string, own: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(own));
}
