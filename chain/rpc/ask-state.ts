/** Questions about the state of a block, told apart: answered, refused for good (no node keeps that state), or not answered. */
import { NodeError, PrunedStateError, UnsupportedMethodError } from '../errors.ts';
import type { Call } from './endpoint.ts';
import type { RpcClient } from './rpc-client.ts';

interface AskOptions {
  readonly retries: number;
  readonly minHead?: number;
}

/**
 * Asks for state at a block, of every endpoint in turn where one refuses.
 * @param callsAt makes the calls for a tag or height; their parameters must be valid, so that only the state can be at fault
 * @param tag height as a quantity, or a tag
 * @throws PrunedStateError where nodes answer, and none has the state of that block; TransportError where no node answers
 */
export async function askState(
  client: RpcClient,
  callsAt: (tag: string) => readonly Call[],
  tag: string,
  options: AskOptions,
): Promise<unknown[]> {
  let refusal: NodeError;
  try {
    return (await client.batch(callsAt(tag), options)).results;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    refusal = error;
  }
  for (const endpoint of client.endpoints) {
    try {
      return (await client.batch(callsAt(tag), { endpoint, retries: 0 })).results;
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      refusal = error;
    }
  }
  // a node that can't tell the newest state either has a fault of its own, which may pass
  if (tag !== 'latest') await assertAnswers(client, callsAt, refusal);
  throw refusal instanceof UnsupportedMethodError ? refusal : new PrunedStateError(tag, refusal.method);
}

async function assertAnswers(client: RpcClient, callsAt: (tag: string) => readonly Call[], refusal: NodeError) {
  await client.batch(callsAt('latest'), { retries: 1 }).catch((error: unknown) => {
    throw error instanceof NodeError ? refusal.asFault() : error;
  });
}
