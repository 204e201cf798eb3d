/** Short commands on the database: migrate, status, rewind. */
import { rewind } from '#pipeline/store/rewind.ts';
import { openDatabase } from '#sql/open-database.ts';
import { isBackfilled, readChainState } from '#sql/snapshot.ts';
import { loadStatements } from '#sql/statements.ts';
import type { Config } from '../config.ts';
import { createLog } from '../log.ts';

const waitMs = 10_000;

export async function runMigrate(config: Config): Promise<void> {
  const log = createLog('migrate', config.LOG_LEVEL);
  const database = await openDatabase(config, { log, waitMs });
  console.log('the schema is up to date');
  await database.close();
}

export async function runStatus(config: Config): Promise<void> {
  const log = createLog('status', config.LOG_LEVEL);
  const database = await openDatabase(config, { log, waitMs, migrates: false });
  const state = await readChainState(database, loadStatements());
  console.log(
    state
      ? { ...state, backfilled: isBackfilled(state), lagBlocks: state.chainHead - state.head }
      : 'nothing is stored yet',
  );
  await database.close();
}

export async function runRewind(config: Config, block: number): Promise<void> {
  const log = createLog('rewind', config.LOG_LEVEL);
  const database = await openDatabase(config, { log, waitMs });
  await rewind({ database, statements: loadStatements(), log }, block);
  console.log(`everything above block ${block} is gone; the pipeline will fetch it again`);
  await database.close();
}
