import { hexDigits } from '#chain/codec/hex.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import type { Database } from '#sql/client.ts';
import { snapshotParameters } from '#sql/snapshot.ts';
import type { ContractCreation } from '#verification/types.ts';
import { waitForBlock } from '../chain/reach-block.ts';
import type { Snapshots } from '../chain/snapshot-reader.ts';

interface CreationDeps {
  readonly database: Database;
  readonly client: RpcClient;
  readonly snapshots: Snapshots;
}

/** Maximum time to wait for the block of a creation, ms. */
const maxIndexingMs = 15_000;

/**
 * Returns undefined if no indexed transaction created the contract. Waits for the newest block, because tools verify a
 * contract right after its creation.
 */
export async function readCreation(deps: CreationDeps, address: string): Promise<ContractCreation | undefined> {
  const found = await findCreation(deps, address);
  if (found) return found;
  const head = await deps.client.call<string>('eth_blockNumber', [], { retries: 1 }).catch(() => undefined);
  if (head === undefined) return undefined;
  await waitForBlock(deps, Number(head), maxIndexingMs);
  return findCreation(deps, address);
}

async function findCreation({ database, snapshots }: CreationDeps, address: string) {
  const [row] = await snapshots.run((state) =>
    database.readBinary('contract_creations', { ...snapshotParameters(state), addresses: [hexDigits(address)] }),
  );
  if (!row) return undefined;
  const { hash: transactionHash, from: deployer, block_number, input: initCode } = row;
  return { transactionHash, deployer, blockNumber: Number(block_number), initCode };
}
