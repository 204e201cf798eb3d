import { hashWithoutMetadata } from '#chain/codec/code-hash.ts';
import { hexDigits, zeroAddress } from '#chain/codec/hex.ts';
import { splitIntoChunks } from '#runtime/lists.ts';
import type { NodeDeps, StoreDeps } from '../reader-deps.ts';
import { readCodes } from './code.ts';

/** Codes per batch: a code has up to 24 kB (EIP-170). */
const codesAtOnce = 50;

export type SimilarDeps = StoreDeps & Pick<NodeDeps, 'client'>;

/**
 * Reads contracts whose code at the newest block equals `code` except for the metadata hash, sorted by address.
 * @param code 0x hex
 * @param after last address of the previous page
 * @returns `last`: `after` of the next page; undefined at the end of the list
 * @throws ApiProblem node_unavailable, state_unavailable
 */
export async function readSimilar(
  { database, client }: SimilarDeps,
  code: string,
  limit: number,
  after = zeroAddress,
): Promise<{ readonly addresses: string[]; readonly last: string | undefined }> {
  const hash = hashWithoutMetadata(code);
  const rows = await database.read('contracts_of_code', {
    code_hash: hexDigits(hash),
    after: hexDigits(after),
    limit: limit + 1,
  });
  const candidates = rows.slice(0, limit).map(({ address_hex }) => address_hex);
  // stored codes can be old: a contract may be destroyed, or created again with other code
  const codes = (
    await Promise.all(splitIntoChunks(candidates, codesAtOnce).map((some) => readCodes(client, some)))
  ).flat();
  const addresses = candidates.filter((_, i) => codes[i] === code || hashWithoutMetadata(codes[i] ?? '0x') === hash);
  return { addresses, last: rows.length > limit ? candidates.at(-1) : undefined };
}
