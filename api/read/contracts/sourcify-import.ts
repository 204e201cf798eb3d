/**
 * Imports source code from a Sourcify instance in the background. Stores only sources that compile to the contract's
 * code.
 * @source https://docs.sourcify.dev/docs/api (version 2, "Get contract")
 */
import { z } from 'zod';
import type { Log } from '#runtime/log.ts';
import { readBounded } from '#runtime/read-bounded.ts';
import { withDeadline } from '#runtime/signals.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { AskLater } from './ask-later.ts';
import type { ContractVerifier } from './contract-verifier.ts';
import { parseCompilerInput, parseTarget } from './parse-input.ts';
import type { VerifiedContracts } from './verified-contracts.ts';

interface ImportDeps {
  readonly verified: VerifiedContracts;
  readonly verifier: ContractVerifier;
  readonly settings: { readonly chainId: number };
  readonly log: Log;
}

const timeoutMs = 15_000;
const maxBytes = 8 << 20;

const Reply = z.object({
  stdJsonInput: z.looseObject({}),
  compilation: z.object({ compilerVersion: z.string(), fullyQualifiedName: z.string() }),
});

/** Runs until the signal fires. @param url base URL without trailing slash */
export async function importFromSourcify(deps: ImportDeps, url: string, signal: AbortSignal): Promise<void> {
  const { verified, log } = deps;
  const contracts = new AskLater({ atOnce: 1, maxWaiting: 1_000 });
  verified.onMissing = (address) => contracts.add(address);
  await contracts.run(
    async ([address = '']) => importContract(deps, url, address, signal),
    (error, [address], retry_ms) =>
      log.warn(
        { event: 'sourcify_failed', url, address, error: String(error), retry_ms },
        'Cannot import a contract from Sourcify; retrying later',
      ),
    signal,
  );
}

/** @throws Error if Sourcify returns an error; ApiProblem if the verifier has no place, or no node answers */
async function importContract(deps: ImportDeps, url: string, address: string, signal: AbortSignal): Promise<void> {
  const { chainId } = deps.settings;
  const asked = `${url}/v2/contract/${chainId}/${address}?fields=stdJsonInput,compilation`;
  const text = await withDeadline(timeoutMs, [signal], async (limited) => {
    const reply = await fetch(asked, { signal: limited, redirect: 'error' });
    if (reply.status === 404) return undefined;
    if (!reply.ok || !reply.body) throw new Error(`status ${reply.status}`);
    return readBounded(reply.body, maxBytes, () => new UnusableReply(`the reply exceeds ${maxBytes} bytes`));
  }).catch((error: unknown) => {
    if (error instanceof UnusableReply) return logUnusable(deps, { url, address, error });
    throw error;
  });
  if (!text) return;
  const request = parseReply(text);
  if (!request) return logUnusable(deps, { url, address });
  try {
    await deps.verifier.submit({ address, ...request, kind: 'sourcify', license: '' }, { caller: 'sourcify import' });
  } catch (error) {
    // the address has no code any more: a retry would fail, too
    if (!(error instanceof ApiProblem) || error.code !== 'bad_query') throw error;
    logUnusable(deps, { url, address, error });
  }
}

/** Error of a reply that a retry would not change. */
class UnusableReply extends Error {}

function logUnusable({ log }: ImportDeps, { error, ...fields }: { url: string; address: string; error?: Error }): void {
  const event = { event: 'sourcify_reply_unusable', ...fields, ...(error && { error: error.message }) };
  log.warn(event, 'Sourcify returned a contract that cannot be verified here');
}

/** Returns undefined for a reply without valid compiler input. */
function parseReply(text: Buffer) {
  try {
    const { stdJsonInput, compilation } = Reply.parse(JSON.parse(text.toString('utf8')));
    const input = parseCompilerInput(stdJsonInput);
    const target = parseTarget(compilation.fullyQualifiedName, input);
    return { input, target, compilerVersion: compilation.compilerVersion };
  } catch (error) {
    if (error instanceof ApiProblem || error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}
