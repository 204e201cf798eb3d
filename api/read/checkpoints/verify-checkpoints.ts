/** Checks the chain of checkpoints: signatures, links, and what the index holds now against what they say. */
import type { Database } from '#sql/client.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { exportKinds } from '../export/kinds.ts';
import { type Checkpoint, faultOf, readCheckpoints } from './checkpoint.ts';
import { addTables, noRows, sumTables, type TableSums } from './sum-tables.ts';

interface CheckpointReport {
  readonly checkpoints: number;
  /** One line each; none: everything is as it was signed. */
  readonly faults: readonly string[];
}

interface VerifyOptions {
  /** Address that must have signed; absent: that of the first checkpoint. */
  readonly signer?: string | undefined;
  readonly onProgress?: (share: number, text: string) => void;
}

const numbersAtOnce = 1_000;
/** Numbers are unique but for forks. */
const mostOfWindow = 10_000;

export async function verifyCheckpoints(
  database: Database,
  state: ChainState,
  { signer, onProgress }: VerifyOptions = {},
): Promise<CheckpointReport> {
  const all = await readAll(database);
  const wanted = signer ?? all[0]?.signer;
  const faults: string[] = [];
  let before: Checkpoint | undefined;
  let sums = noRows();
  for (const [at, checkpoint] of all.entries()) {
    const { number, block } = checkpoint.document;
    const own = [faultOf(checkpoint), signerFault(checkpoint, wanted), linkFault(checkpoint, before)];
    faults.push(...own.filter((fault) => fault !== undefined).map((fault) => `checkpoint ${number}: ${fault}`));
    const fromBlock = before ? before.document.block + 1 : 0;
    sums = addTables(sums, await sumTables(database, state, fromBlock, block));
    const held = [...tableFaults(checkpoint, sums), await blockFault(database, state, checkpoint)];
    faults.push(...held.filter((fault) => fault !== undefined).map((fault) => `checkpoint ${number}: ${fault}`));
    before = checkpoint;
    onProgress?.((at + 1) / all.length, `checkpoint ${number}, block ${block}`);
  }
  return { checkpoints: all.length, faults };
}

/** Oldest first, with all of those that share a number. */
async function readAll(database: Database): Promise<Checkpoint[]> {
  const [newest] = await readCheckpoints(database, { limit: 1 });
  const all: Checkpoint[] = [];
  for (let fromNumber = 0; fromNumber <= (newest?.document.number ?? -1); fromNumber += numbersAtOnce) {
    const window = { fromNumber, beforeNumber: fromNumber + numbersAtOnce, limit: mostOfWindow };
    all.push(...(await readCheckpoints(database, window)).reverse());
  }
  return all;
}

function signerFault({ signer }: Checkpoint, wanted: string | undefined): string | undefined {
  return signer === wanted?.toLowerCase() ? undefined : `signed by ${signer}, not by ${wanted}`;
}

function linkFault({ document }: Checkpoint, before: Checkpoint | undefined): string | undefined {
  if (document.previous !== (before?.digest ?? null)) return 'it does not link to the checkpoint before';
  if (document.number !== (before?.document.number ?? 0) + 1) return 'a number is missing before it';
  if (before && document.block <= before.document.block) return 'it is not above the checkpoint before';
  return undefined;
}

function tableFaults({ document }: Checkpoint, sums: TableSums): string[] {
  return exportKinds.flatMap((kind) => {
    const [said, held] = [document.tables[kind], sums[kind]];
    if (said.rows === held.rows && said.digest === held.digest) return [];
    return [
      `${kind}: ${said.rows} rows with digest ${said.digest} were signed, ${held.rows} with ${held.digest} are held`,
    ];
  });
}

async function blockFault(
  database: Database,
  state: ChainState,
  { document }: Checkpoint,
): Promise<string | undefined> {
  const [row] = await database.read('pinned_block', {
    ...snapshotParameters(state),
    block_number: document.block,
    hash: '0'.repeat(64),
  });
  return row?.hash === document.blockHash ? undefined : `block ${document.block} has another hash now`;
}
