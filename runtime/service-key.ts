/** Secret of the service: signs access tokens and checkpoints, and binds nonces. */
import { hkdfSync, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** 32 secret bytes. Each purpose derives its own key, so that one derived key doesn't reveal another. */
export class ServiceKey {
  readonly #secret: Buffer;

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  /** Returns the 32-byte key of a purpose. @source RFC 5869 */
  derive(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#secret, '', `cordscan ${purpose}`, 32));
  }
}

/**
 * Reads SERVICE_KEY, or the file `service-key` in DATA_DIR, created on the first start and readable only by its owner.
 * All instances of the API need the same key.
 */
export async function readServiceKey(config: {
  SERVICE_KEY?: string | undefined;
  DATA_DIR: string;
}): Promise<ServiceKey> {
  if (config.SERVICE_KEY) return new ServiceKey(Buffer.from(config.SERVICE_KEY, 'hex'));
  const path = join(config.DATA_DIR, 'service-key');
  await mkdir(config.DATA_DIR, { recursive: true });
  const made = `${path}.${process.pid}`;
  await writeFile(made, randomBytes(32).toString('hex'), { mode: 0o600 });
  // link() is atomic: if two processes start at once, both use the same key
  await link(made, path).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(made);
  const secret = Buffer.from((await readFile(path, 'utf8')).trim(), 'hex');
  if (secret.length !== 32) throw new Error(`${path} must contain 64 hex digits (32 bytes)`);
  return new ServiceKey(secret);
}
