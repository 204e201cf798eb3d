/**
 * Looks up unknown function selectors at a signature server in the background.
 * @source https://docs.sourcify.dev/docs/api/#/signature-database (the interface of openchain.xyz)
 */
import { FunctionFragment } from 'ethers';
import { z } from 'zod';
import type { Log } from '#runtime/log.ts';
import { readBounded } from '#runtime/read-bounded.ts';
import { withDeadline } from '#runtime/signals.ts';
import type { SignatureRow } from '#sql/reference-data.ts';
import { AskLater } from '../ask-later.ts';
import type { Signatures } from './signatures.ts';

const timeoutMs = 10_000;
const maxBytes = 1 << 20;
const maxPerSelector = 8;
const maxName = 1_000;

const Reply = z.object({
  result: z.object({ function: z.record(z.string(), z.array(z.object({ name: z.string() })).nullable()) }),
});

/** Runs until the signal fires. @param url base URL without trailing slash */
export async function askSignatureServer(
  { signatures, log }: { readonly signatures: Signatures; readonly log: Log },
  url: string,
  signal: AbortSignal,
): Promise<void> {
  const unknown = new AskLater({ atOnce: 50, maxWaiting: 5_000 });
  signatures.onUnknown = (selectors) => {
    for (const selector of selectors) if (selector.length === 10) unknown.add(selector);
  };
  await unknown.run(
    async (selectors) => signatures.learn(await ask(url, selectors, signal), 'server'),
    (error, _, retry_ms) =>
      log.warn(
        { event: 'signature_server_failed', url, error: String(error), retry_ms },
        'the signature server does not answer; the names of some functions are missing',
      ),
    signal,
  );
}

async function ask(url: string, selectors: readonly string[], signal: AbortSignal): Promise<SignatureRow[]> {
  const asked = `${url}/signature-database/v1/lookup?filter=true&function=${selectors.join(',')}`;
  const text = await withDeadline(timeoutMs, [signal], async (limited) => {
    const reply = await fetch(asked, { signal: limited, redirect: 'error' });
    if (!reply.ok || !reply.body) throw new Error(`the signature server replied with HTTP status ${reply.status}`);
    return readBounded(reply.body, maxBytes, () => new Error(`the reply exceeds ${maxBytes} bytes`));
  });
  const { result } = Reply.parse(JSON.parse(text.toString('utf8')));
  return selectors.flatMap((selector) =>
    (result.function[selector] ?? []).slice(0, maxPerSelector).flatMap(({ name }) => toRow(selector, name, url)),
  );
}

/** Returns no row if the name has another selector. */
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
