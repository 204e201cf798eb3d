/**
 * Secret of the service. Keys derived from it protect access tokens, signed documents, checkpoints, nonces and cursors.
 */
import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export class ServiceKey {
  readonly #secret: Buffer;

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  /** Derives a 32-byte key for each purpose, so that one key does not reveal another. @source RFC 5869 */
  derive(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#secret, '', `cordscan ${purpose}`, 32));
  }
}

/**
 * Returns the key in SERVICE_KEY, else in DATA_DIR's file `service-key`, which the first start creates, readable only
 * by its owner. All API instances need the same key.
 */
export async function readServiceKey(config: {
  SERVICE_KEY?: string | undefined;
  DATA_DIR: string;
}): Promise<ServiceKey> {
  if (config.SERVICE_KEY) return new ServiceKey(Buffer.from(config.SERVICE_KEY, 'hex'));
  const path = join(config.DATA_DIR, 'service-key');
  await mkdir(config.DATA_DIR, { recursive: true });
  if (!existsSync(path)) await createKey(path);
  const secret = Buffer.from((await readFile(path, 'utf8')).trim(), 'hex');
  if (secret.length !== 32)
    throw new Error(
      `${path} must contain 64 hex digits (32 bytes): restore the file, or delete it to create a new key`,
    );
  return new ServiceKey(secret);
}

/** Creates the key file. Processes that start at once use the same key. */
async function createKey(path: string): Promise<void> {
  const made = `${path}.${process.pid}`;
  await writeFile(made, randomBytes(32).toString('hex'), { mode: 0o600 });
  // link() is atomic
  await link(made, path).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(made);
}
