/** The service's own secret: it signs access tokens and checkpoints, and binds nonces. */
import { hkdfSync, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** 32 secret bytes, of which each use derives its own, so that one tells nothing of another. */
export class ServiceKey {
  readonly #secret: Buffer;

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  /** @returns 32 bytes for this purpose alone. @source RFC 5869 */
  derive(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#secret, '', `cordscan ${purpose}`, 32));
  }
}

/**
 * SERVICE_KEY, or the file `service-key` of the data directory, which is made on the first start and readable by its owner
 * alone. Several instances of the API need the same key.
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
  // whole or not at all: of two processes that begin at once one key stays
  await link(made, path).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(made);
  const secret = Buffer.from((await readFile(path, 'utf8')).trim(), 'hex');
  if (secret.length !== 32) throw new Error('the file service-key of the data directory is no key of 32 bytes in hex');
  return new ServiceKey(secret);
}
