/**
 * Asks a signature server for functions that no known signature names. Requests of users never wait for it: its replies
 * count for later requests.
 * @source https://docs.sourcify.dev/docs/api/#/signature-database (the interface of openchain.xyz)
 */
import { FunctionFragment } from 'ethers';
import { z } from 'zod';
import type { Log } from '#runtime/log.ts';
import { readBounded } from '#runtime/read-bounded.ts';
import { pause } from '#runtime/shutdown.ts';
import type { SignatureRow } from '#sql/reference-data.ts';
import type { Signatures } from './signatures.ts';

/** Selectors of a request. */
const atOnce = 50;
/** Maximum number of selectors that wait; later ones are asked when they are looked up again. */
const maxWaiting = 5_000;
const timeoutMs = 10_000;
const [shortestPauseMs, longestPauseMs] = [1_000, 300_000];
/** Time until an unknown selector is asked again, ms. */
const unknownForMs = 86_400_000;
const maxBytes = 1 << 20;
const maxPerSelector = 8;
const maxName = 1_000;

const Reply = z.object({
  result: z.object({ function: z.record(z.string(), z.array(z.object({ name: z.string() })).nullable()) }),
});

/** Runs until the signal. @param url base URL, without a trailing slash */
export async function askSignatureServer(
  { signatures, log }: { readonly signatures: Signatures; readonly log: Log },
  url: string,
  signal: AbortSignal,
): Promise<void> {
  const waiting = new Set<string>();
  const askedAt = new Map<string, number>();
  signatures.onUnknown = (selectors) => {
    for (const selector of selectors) {
      const isAsked = Date.now() - (askedAt.get(selector) ?? 0) < unknownForMs;
      if (selector.length === 10 && !isAsked && waiting.size < maxWaiting) waiting.add(selector);
    }
  };
  let wait = shortestPauseMs;
  while (!signal.aborted) {
    await pause(wait, signal);
    const selectors = [...waiting].slice(0, atOnce);
    if (selectors.length === 0 || signal.aborted) continue;
    try {
      await signatures.learn(await ask(url, selectors, signal), 'server');
      for (const selector of selectors) {
        waiting.delete(selector);
        askedAt.set(selector, Date.now());
      }
      for (const [selector] of [...askedAt].slice(0, Math.max(0, askedAt.size - maxWaiting))) askedAt.delete(selector);
      wait = shortestPauseMs;
    } catch (error) {
      moveToEnd(waiting, selectors);
      wait = Math.min(2 * wait, longestPauseMs);
      if (!signal.aborted)
        log.warn(
          { event: 'signature_server_failed', url, error: String(error), retry_ms: wait },
          'the signature server does not answer; the names of some functions are missing',
        );
    }
  }
}

/** One selector that the server can't answer does not keep the others waiting. */
function moveToEnd(waiting: Set<string>, selectors: readonly string[]): void {
  for (const selector of selectors) {
    waiting.delete(selector);
    waiting.add(selector);
  }
}

async function ask(url: string, selectors: readonly string[], signal: AbortSignal): Promise<SignatureRow[]> {
  const reply = await fetch(`${url}/signature-database/v1/lookup?filter=true&function=${selectors.join(',')}`, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    redirect: 'error',
  });
  if (!reply.ok || !reply.body) throw new Error(`status ${reply.status}`);
  const text = await readBounded(reply.body, maxBytes, () => new Error(`the reply exceeds ${maxBytes} bytes`));
  const { result } = Reply.parse(JSON.parse(text.toString('utf8')));
  return selectors.flatMap((selector) =>
    (result.function[selector] ?? []).slice(0, maxPerSelector).flatMap(({ name }) => toRow(selector, name, url)),
  );
}

/** Returns no row if the selector is not that of the name. */
function toRow(selector: string, name: string, origin: string): SignatureRow[] {
  if (name.length > maxName) return [];
  try {
    const fragment = FunctionFragment.from(`function ${name}`);
    if (fragment.selector !== selector) return [];
    const signature = fragment.format('sighash');
    return [{ selector, kind: 'function', signature, indexed: 0, declaration: `function ${signature}`, origin }];
  } catch {
    return [];
  }
}
