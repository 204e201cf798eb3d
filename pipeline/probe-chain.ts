import { zeroHash } from '#chain/codec/hex.ts';
import { InvalidChainData, UnsupportedMethodError, WrongChainError } from '#chain/errors.ts';
import type { Endpoint } from '#chain/rpc/endpoint.ts';
import { fetchBlocks } from '#chain/rpc/fetch-blocks.ts';
import type { FetchSettings } from './backfill/backfill-settings.ts';
import type { NodeDeps, StoreDeps } from './deps.ts';
import { asHead, blockAt } from './follow/read-head.ts';
import type { ChainSettings } from './identity.ts';
import { readJournalVersion } from './store/journal.ts';

interface ProbeDeps extends NodeDeps {
  readonly settings: Pick<ChainSettings, 'startBlock'> & Pick<FetchSettings, 'verify'>;
}

class UnindexableChainError extends WrongChainError {}

/** Attempts per endpoint before a chain counts as unreadable. */
const maxAttempts = 3;

/**
 * Stops the startup if the pipeline can never index this chain. Ignores temporary errors: later steps retry.
 * @throws UnindexableChainError
 */
export async function probeChain(deps: ProbeDeps & StoreDeps): Promise<void> {
  const { client, database, settings, signal } = deps;
  if ((await readJournalVersion({ database })) > 0) return; // the chain was indexed before
  await assertReceipts(deps);
  const newest = asHead(
    await client.call('eth_getBlockByNumber', ['latest', false], { signal, retries: 1 }).catch(() => undefined),
  );
  if (signal.aborted || !newest || newest.number < settings.startBlock) return;
  await assertServed(deps, settings.startBlock, newest.number);
  await assertReadable(deps, newest.number);
}

/** Checks that an endpoint serves receipts, which contain outcomes, fees and logs. */
async function assertReceipts({ client, signal }: NodeDeps): Promise<void> {
  const serves = await Promise.all(
    client.endpoints.map(async (endpoint) => {
      const ask = (method: string, params: unknown[]) =>
        client.call(method, params, { endpoint, signal, retries: 0 }).then(
          () => true,
          (error: unknown) => !(error instanceof UnsupportedMethodError),
        );
      return (await ask('eth_getBlockReceipts', ['latest'])) || (await ask('eth_getTransactionReceipt', [zeroHash]));
    }),
  );
  if (!signal.aborted && serves.every((is) => !is))
    throw new UnindexableChainError(
      'no endpoint of RPC_URL serves receipts: eth_getBlockReceipts or eth_getTransactionReceipt is needed',
    );
}

async function assertServed({ client, signal }: NodeDeps, start: number, newest: number): Promise<void> {
  const first = await Promise.all(
    client.endpoints.map((endpoint) => firstServed(client, endpoint, start, newest, signal)),
  );
  const answered = first.filter((block) => block !== undefined);
  if (answered.length === 0 || answered.some((block) => block <= start)) return;
  const lowest = Math.min(...answered);
  throw new UnindexableChainError(
    `no endpoint has block ${start}: the lowest available block is ${lowest}. Set START_BLOCK=${lowest}, or set RPC_URL to an archive node`,
  );
}

async function firstServed(
  client: NodeDeps['client'],
  endpoint: Endpoint,
  start: number,
  newest: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const has = async (block: number) => (await blockAt({ client, signal }, endpoint, block)) !== undefined;
  try {
    if (await has(start)) return start;
    let [missing, present] = [start, newest];
    while (present - missing > 1) {
      const middle = Math.floor((missing + present) / 2);
      if (await has(middle)) present = middle;
      else missing = middle;
    }
    return present;
  } catch {
    return undefined;
  }
}

async function assertReadable(deps: ProbeDeps, newest: number): Promise<void> {
  const { client, settings, signal } = deps;
  const block = Math.max(settings.startBlock, newest - 1);
  let fault: InvalidChainData | undefined;
  for (const endpoint of Array.from({ length: maxAttempts }, () => client.endpoints).flat()) {
    if (signal.aborted) break;
    try {
      await fetchBlocks(client, block, block, { verify: settings.verify, signal, endpoint, retries: 0 });
      return;
    } catch (error) {
      const isForm = error instanceof InvalidChainData && error.violation === 'bad_field';
      if (!isForm || (fault && fault.message !== error.message)) return;
      fault = error;
    }
  }
  if (!fault) return;
  const family = await client.call<unknown>('web3_clientVersion', [], { signal, retries: 0 }).catch(() => 'unknown');
  throw new UnindexableChainError(
    `the blocks of this chain can't be read: ${fault.message}. The node reports client version ${String(family).slice(0, 80)}; docs/operations.md lists the accepted block formats`,
  );
}
