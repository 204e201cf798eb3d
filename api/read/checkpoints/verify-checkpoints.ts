import type { Database } from '#sql/client.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { exportKinds } from '../export/kinds.ts';
import { type Checkpoint, findError, readCheckpoints } from './checkpoint.ts';
import { addTables, noRows, sumTables, type TableSums } from './sum-tables.ts';

interface CheckpointReport {
  readonly checkpoints: number;
  readonly faults: readonly string[];
}

interface VerifyOptions {
  /** Default: signer of the first checkpoint. */
  readonly signer?: string | undefined;
  readonly onProgress?: (share: number, text: string) => void;
}

const numbersPerRead = 1_000;
/** Exceeds `numbersPerRead`, because two processes can store checkpoints with the same number. */
const maxPerRead = 10_000;

/** Checks signatures and links of all checkpoints, and compares row counts and digests with the index. */
export async function verifyCheckpoints(
  database: Database,
  state: ChainState,
  { signer, onProgress }: VerifyOptions = {},
): Promise<CheckpointReport> {
  const all = await readAll(database);
  const expected = signer ?? all[0]?.signer;
  const faults: string[] = [];
  let previous: Checkpoint | undefined;
  let sums = noRows();
  for (const [at, checkpoint] of all.entries()) {
    const { number, block } = checkpoint.document;
    const own = findOwnErrors(checkpoint, previous, expected);
    faults.push(...own.map((error) => `checkpoint ${number}: ${error}`));
    const fromBlock = previous ? previous.document.block + 1 : 0;
    sums = addTables(sums, await sumTables(database, state, fromBlock, block));
    const stored = [...tableErrors(checkpoint, sums), await blockError(database, state, checkpoint)];
    faults.push(...stored.filter((error) => error !== undefined).map((error) => `checkpoint ${number}: ${error}`));
    previous = checkpoint;
    onProgress?.((at + 1) / all.length, `checkpoint ${number}, block ${block}`);
  }
  return { checkpoints: all.length, faults };
}

async function readAll(database: Database): Promise<Checkpoint[]> {
  const [newest] = await readCheckpoints(database, { limit: 1 });
  const all: Checkpoint[] = [];
  for (let fromNumber = 0; fromNumber <= (newest?.document.number ?? -1); fromNumber += numbersPerRead) {
    const window = { fromNumber, beforeNumber: fromNumber + numbersPerRead, limit: maxPerRead };
    all.push(...(await readCheckpoints(database, window)).reverse());
  }
  return all;
}

/** Checks a checkpoint itself: signature, signer, and link to the previous one. */
export function findOwnErrors(
  checkpoint: Checkpoint,
  previous: Checkpoint | undefined,
  signer: string | undefined,
): string[] {
  const errors = [findError(checkpoint), signerError(checkpoint, signer), linkError(checkpoint, previous)];
  return errors.filter((error) => error !== undefined);
}

function signerError({ signer }: Checkpoint, expected: string | undefined): string | undefined {
  return signer === expected?.toLowerCase() ? undefined : `signed by ${signer}, expected ${expected}`;
}

function linkError({ document }: Checkpoint, previous: Checkpoint | undefined): string | undefined {
  if (document.previous !== (previous?.digest ?? null)) return 'it does not link to the previous checkpoint';
  if (document.number !== (previous?.document.number ?? 0) + 1) return 'its number does not follow the previous one';
  if (previous && document.block <= previous.document.block)
    return 'its block is not above the block of the previous checkpoint';
  return undefined;
}

function tableErrors({ document }: Checkpoint, sums: TableSums): string[] {
  return exportKinds.flatMap((kind) => {
    const [signed, indexed] = [document.tables[kind], sums[kind]];
    if (signed.rows === indexed.rows && signed.digest === indexed.digest) return [];
    return [
      `${kind}: signed ${signed.rows} rows with digest ${signed.digest}, but the index has ${indexed.rows} rows with digest ${indexed.digest}`,
    ];
  });
}

async function blockError(
  database: Database,
  state: ChainState,
  { document }: Checkpoint,
): Promise<string | undefined> {
  const [row] = await database.read('pinned_block', {
    ...snapshotParameters(state),
    block_number: document.block,
    hash: '0'.repeat(64),
  });
  return row?.hash === document.blockHash ? undefined : `block ${document.block} now has a different hash`;
}
