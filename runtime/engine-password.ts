/**
 * Password of the embedded ClickHouse. Each start creates one, and writes it to DATA_DIR, readable only by its owner,
 * once the engine has locked DATA_DIR. Until then, another engine may use the earlier one.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const passwordFileIn = (dataDir: string) => join(dataDir, 'clickhouse-password');

/** File with the port of the engine that locked DATA_DIR last. */
export const portFileIn = (dataDir: string) => join(dataDir, 'clickhouse-port');

/** The engine that has locked DATA_DIR sends `opened`, and waits for `published` before it accepts connections. */
export const opened = { opened: true } as const;
export const published = { published: true } as const;

export const makePassword = (): string => randomBytes(32).toString('hex');

/** Writes port and password of the engine that has locked DATA_DIR, for clients. */
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
