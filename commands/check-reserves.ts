/** Checks a proof of reserves without the service: all signatures, and the sum of balances. */
import { readFile } from 'node:fs/promises';
import { compactVerify, createLocalJWKSet, decodeJwt, type JSONWebKeySet } from 'jose';
import { z } from 'zod';
import { recoverSigner } from '#api/read/identity/wallet-signature.ts';
import { Purpose, writeReservesMessage } from '#api/read/statements/reserves.ts';

const Reply = z.object({ document: z.string() });

const Signed = z.object({
  type: z.literal('reserves'),
  chainId: z.int(),
  message: z.string(),
  purpose: Purpose,
  block: z.object({ number: z.int(), hash: z.string(), timestamp: z.int() }),
  accounts: z.array(
    z.object({
      address: z.string().regex(/^0x[0-9a-f]{40}$/),
      signature: z.string(),
      wallet: z.enum(['key', 'contract']),
      balance: z.string().regex(/^\d+$/),
    }),
  ),
  coin: z.string().regex(/^\d+$/),
  tokens: z
    .array(z.object({ amount: z.string().regex(/^\d+$/), amountAtNode: z.string().regex(/^\d+$/).nullish() }))
    .nullish(),
});

export interface ReservesCheck {
  /** One-line result of the proof. */
  readonly summary: string;
  /** Errors; empty if the proof is valid. */
  readonly faults: readonly string[];
}

/**
 * Checks only the signed document.
 * @param path reply of POST /reserves @param keys of the service, which signs the balances
 * @throws Error if the file is not a proof of reserves
 */
export async function checkReserves(path: string, keys: JSONWebKeySet): Promise<ReservesCheck> {
  const reply = Reply.safeParse(JSON.parse(await readFile(path, 'utf8')));
  if (!reply.success) throw new Error(`${path} is not a proof of reserves: it has no field "document"`);
  const { document } = reply.data;
  const proof = Signed.safeParse(decodeJwt(document));
  if (!proof.success) throw new Error(`${path} is not a proof of reserves: ${z.prettifyError(proof.error)}`);
  const { block, accounts, coin, purpose, tokens, ...signed } = proof.data;
  const unequal = (tokens ?? []).filter(({ amount, amountAtNode }) => amount !== amountAtNode);
  const unconfirmed = unequal.filter(({ amountAtNode }) => amountAtNode == null).length;
  const different = unequal.length - unconfirmed;
  const addresses = accounts.map(({ address }) => address);
  const message = writeReservesMessage({ chainId: signed.chainId, accounts: addresses, purpose, block });
  const byKey = accounts.filter(({ wallet }) => wallet === 'key');
  const forged = byKey.filter(({ address, signature }) => recoverSigner(message, signature) !== address);
  const sum = accounts.reduce((total, { balance }) => total + BigInt(balance), 0n);
  const confirmed = accounts.length - byKey.length;
  return {
    summary:
      `${accounts.length} accounts held ${coin} wei after block ${block.number} of chain ${signed.chainId} ("${purpose}")` +
      (confirmed > 0 ? `; for ${confirmed} contract wallets, only the service checked the signature` : '') +
      (different > 0 ? `; the contracts of ${different} tokens return another amount` : '') +
      (unconfirmed > 0 ? `; no contract confirms the amounts of ${unconfirmed} tokens` : ''),
    faults: [
      ...(signed.message === message ? [] : ['the signed message does not match the accounts, purpose and block']),
      ...forged.map(({ address }) => `the signature of ${address} is not valid`),
      ...(String(sum) === coin ? [] : [`the balances add up to ${sum} wei, not ${coin}`]),
      ...(new Set(addresses).size === addresses.length ? [] : ['an account is listed twice']),
      ...(!(await isSigned(document, keys)) ? ['the signature of the service is not valid for these keys'] : []),
    ],
  };
}

async function isSigned(document: string, keys: JSONWebKeySet): Promise<boolean> {
  try {
    await compactVerify(document, createLocalJWKSet(keys));
    return true;
  } catch {
    return false;
  }
}
