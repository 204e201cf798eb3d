/**
 * The 6 checksum characters of API keys reject random text without a database look-up.
 * @source docs/identity.md#api-keys
 */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const keyPrefix = 'fat_live_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const [randomLength, checksumLength] = [32, 6];
const shape = new RegExp(`^${keyPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** Returns a key with 190 random bits. */
export function generateKey(): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return keyPrefix + random + checksum(random);
}

export function isWellFormedKey(text: string): boolean {
  if (!shape.test(text)) return false;
  const random = text.slice(keyPrefix.length, -checksumLength);
  return checksum(random) === text.slice(-checksumLength);
}

export const hashKey = (key: string): string => `0x${createHash('sha256').update(key).digest('hex')}`;

export const maskKey = (last4: string): string => `${keyPrefix}…${last4}`;

function checksum(random: string): string {
  let rest = crc32(random) >>> 0;
  let digits = '';
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[rest % alphabet.length] + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
