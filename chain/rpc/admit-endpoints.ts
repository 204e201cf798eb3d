import { setTimeout } from 'node:timers/promises';
import type { Log } from '#runtime/log.ts';
import { WrongChainError } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';

export type AskEndpoint = (method: string, params: readonly unknown[]) => Promise<unknown>;

interface AdmissionDeps {
  readonly log: Log;
  readonly signal: AbortSignal;
}

const checkEveryMs = 1_000;

/**
 * Refuses the endpoints' requests, as if the nodes did not answer, until each node is known to serve the expected chain. A
 * node of another chain then has no vote in comparisons. Ends when all endpoints are admitted, or the signal aborts.
 * @param assertChain @throws WrongChainError, or another error if the endpoint does not answer
 */
export async function admitEndpoints(
  deps: AdmissionDeps,
  endpoints: readonly Endpoint[],
  assertChain: (endpoint: Endpoint, ask: AskEndpoint) => Promise<unknown>,
): Promise<void> {
  await Promise.all(endpoints.map((endpoint) => admitWhenChecked(deps, endpoint, assertChain)));
}

async function admitWhenChecked(
  { log, signal }: AdmissionDeps,
  endpoint: Endpoint,
  assertChain: (endpoint: Endpoint, ask: AskEndpoint) => Promise<unknown>,
): Promise<void> {
  endpoint.refuse('the chain of the node is not checked yet');
  const ask: AskEndpoint = async (method, params) => (await endpoint.sendAnyway([{ method, params }], signal))[0];
  let noted: string | undefined;
  while (!signal.aborted) {
    try {
      await assertChain(endpoint, ask);
      endpoint.refuse(undefined);
      endpoint.reportValid();
      log.info(
        { event: 'endpoint_checked', endpoint: endpoint.name },
        'the node serves the chain, and is used from now on',
      );
      return;
    } catch (error) {
      if (signal.aborted) return;
      const { message } = error as Error;
      if (message !== noted) noteFailure(log, endpoint, error as Error);
      noted = message;
    }
    // ref: false, so that these checks do not keep the process of a failed pipeline alive
    await setTimeout(checkEveryMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

function noteFailure(log: Log, endpoint: Endpoint, error: Error): void {
  const fields = { endpoint: endpoint.name, error: error.message };
  if (!(error instanceof WrongChainError)) {
    log.warn({ event: 'endpoint_unchecked', ...fields });
    return;
  }
  endpoint.refuse(error.message);
  endpoint.reportInvalid(error.message);
  log.error(
    { event: 'endpoint_refused', ...fields },
    'this node gets no requests until it serves the chain: correct RPC_URL',
  );
}
