/** Checks endpoints that did not answer at the start, before they are used. */
import { setTimeout } from 'node:timers/promises';
import { WrongChainError } from '#chain/errors.ts';
import type { Endpoint } from '#chain/rpc/endpoint.ts';
import type { JobDeps } from './deps.ts';

/** Sends a request to one endpoint. */
export type AskEndpoint = (method: string, params: readonly unknown[]) => Promise<unknown>;

const checkEveryMs = 1_000;

/**
 * Refuses endpoints, as if they did not answer, until their chain was checked. A node of another chain
 * then has no vote in comparisons, and the pipeline continues without it. Ends when all endpoints are checked, or the signal
 * aborts.
 * @param assertChain @throws WrongChainError, or another error if the endpoint does not answer
 */
export async function admitLateEndpoints(
  deps: Pick<JobDeps, 'log' | 'signal'>,
  endpoints: readonly Endpoint[],
  assertChain: (endpoint: Endpoint, ask: AskEndpoint) => Promise<unknown>,
): Promise<void> {
  await Promise.all(endpoints.map((endpoint) => admitWhenChecked(deps, endpoint, assertChain)));
}

async function admitWhenChecked(
  { log, signal }: Pick<JobDeps, 'log' | 'signal'>,
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
      const { message } = error as Error;
      if (message !== noted) noteFailure(log, endpoint, error as Error);
      noted = message;
    }
    // ref: false, because after an error of the pipeline, these checks must not keep the process alive
    await setTimeout(checkEveryMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

function noteFailure(log: JobDeps['log'], endpoint: Endpoint, error: Error): void {
  const fields = { endpoint: endpoint.name, error: error.message };
  if (!(error instanceof WrongChainError)) {
    log.warn({ event: 'endpoint_unchecked', ...fields });
    return;
  }
  endpoint.reportInvalid(error.message);
  log.error(
    { event: 'endpoint_refused', ...fields },
    'the pipeline does not use this node until it serves the chain: correct RPC_URL',
  );
}
