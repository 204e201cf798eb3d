/**
 * Imports source code from a Sourcify instance. Requests of users never wait for it. Nothing is believed: the source
 * counts only if its compiled code equals that of the contract.
 * @source https://docs.sourcify.dev/docs/api (version 2, "Get contract")
 */
import { z } from 'zod';
import type { Log } from '#runtime/log.ts';
import { readBounded } from '#runtime/read-bounded.ts';
import { pause } from '#runtime/shutdown.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { ContractVerifier } from './contract-verifier.ts';
import { parseCompilerInput, parseTarget } from './parse-input.ts';
import type { VerifiedContracts } from './verified-contracts.ts';

interface ImportDeps {
  readonly verified: VerifiedContracts;
  readonly verifier: ContractVerifier;
  readonly settings: { readonly chainId: number };
  readonly log: Log;
}

/** Maximum number of contracts that wait; later ones are asked for when they are looked up again. */
const maxWaiting = 1_000;
const timeoutMs = 15_000;
const [shortestPauseMs, longestPauseMs] = [1_000, 300_000];
/** Time until a contract is asked for again, ms. */
const askAgainMs = 86_400_000;
const maxBytes = 8 << 20;

const Reply = z.object({
  stdJsonInput: z.looseObject({}),
  compilation: z.object({ compilerVersion: z.string(), fullyQualifiedName: z.string() }),
});

/** Runs until the signal. @param url base URL, without a trailing slash */
export async function importFromSourcify(deps: ImportDeps, url: string, signal: AbortSignal): Promise<void> {
  const { verified, log } = deps;
  const waiting = new Set<string>();
  const askedAt = new Map<string, number>();
  verified.onMissing = (address) => {
    const isAsked = Date.now() - (askedAt.get(address) ?? 0) < askAgainMs;
    if (!isAsked && waiting.size < maxWaiting) waiting.add(address);
  };
  let wait = shortestPauseMs;
  while (!signal.aborted) {
    await pause(wait, signal);
    const [address] = waiting;
    if (address === undefined || signal.aborted) continue;
    waiting.delete(address);
    try {
      await importContract(deps, url, address, signal);
      askedAt.set(address, Date.now());
      for (const [known] of [...askedAt].slice(0, Math.max(0, askedAt.size - maxWaiting))) askedAt.delete(known);
      wait = shortestPauseMs;
    } catch (error) {
      waiting.add(address);
      wait = Math.min(2 * wait, longestPauseMs);
      const fields = { event: 'sourcify_failed', url, address, error: String(error), retry_ms: wait };
      if (!signal.aborted) log.warn(fields, 'Sourcify does not answer; some contracts have no source code');
    }
  }
}

/** @throws Error if the instance does not answer, or has no place for a verification */
async function importContract(deps: ImportDeps, url: string, address: string, signal: AbortSignal): Promise<void> {
  const { chainId } = deps.settings;
  const reply = await fetch(`${url}/v2/contract/${chainId}/${address}?fields=stdJsonInput,compilation`, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    redirect: 'error',
  });
  if (reply.status === 404) return;
  if (!reply.ok || !reply.body) throw new Error(`status ${reply.status}`);
  const text = await readBounded(reply.body, maxBytes, () => new Error(`the reply exceeds ${maxBytes} bytes`));
  const request = parseReply(text);
  if (!request) {
    deps.log.warn(
      { event: 'sourcify_reply_unusable', url, address },
      'Sourcify returned a contract that cannot be compiled here',
    );
    return;
  }
  await deps.verifier.submit({ address, ...request, kind: 'sourcify', license: '' }, 'sourcify import');
}

/** Returns undefined for a reply that no compiler of this service accepts. */
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
