import { checkpointSigner } from '#api/read/checkpoints/checkpoint.ts';
import { verifyCheckpoints } from '#api/read/checkpoints/verify-checkpoints.ts';
import type { Config } from '#runtime/config.ts';
import { createLog } from '#runtime/log.ts';
import { ProgressLine } from '#runtime/progress-line.ts';
import { readServiceKey } from '#runtime/service-key.ts';
import { openDatabase } from '#sql/open-database.ts';
import { readChainState } from '#sql/snapshot.ts';

/**
 * Verifies the signed checkpoints (row counts and digests) of the index. Prints errors; exit code 1 if there are any.
 */
export async function runCheckpointVerify(config: Config, { signer }: { signer?: string }): Promise<void> {
  const log = createLog('checkpoint', config.LOG_LEVEL);
  const database = await openDatabase(config, { log, waitMs: 10_000, migrates: false });
  const state = await readChainState(database);
  const line = new ProgressLine('checkpoints');
  const expectedSigner = signer ?? checkpointSigner(await readServiceKey(config)).address;
  const report = state
    ? await verifyCheckpoints(database, state, {
        signer: expectedSigner,
        onProgress: (share, text) => line.update(share, text),
      })
    : { checkpoints: 0, faults: [] };
  line.finish();
  for (const fault of report.faults) console.log(fault);
  console.log(`${report.checkpoints} checkpoints signed by ${expectedSigner}: ${report.faults.length} errors`);
  await database.close();
  if (report.checkpoints === 0) console.log('nothing was verified: the database has no checkpoints');
  process.exitCode = report.faults.length > 0 || report.checkpoints === 0 ? 1 : 0;
}
