/** The `cordscan` command. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { exportFormats, exportKinds } from '#api/read/export/kinds.ts';
import { type Config, ConfigError, readConfig } from '#runtime/config.ts';

/** Parses arguments and runs; exits 2 on a faulty configuration, another chain or what a command does not take, 1 on other failures. */
export async function runCli(argv: readonly string[]): Promise<void> {
  const program = new Command('cordscan').description(
    'Chain explorer and exchange-integration service for one EVM chain',
  );
  program.version(version(), '-V, --version', 'print the version');
  addServiceCommands(program);
  addToolCommands(program);
  addBackupCommands(program);
  addCheckpointCommands(program);
  addExportCommand(program);
  addRegistryCommands(program);
  addIntegratorCommands(program);
  try {
    await program.parseAsync(argv as string[]);
  } catch (error) {
    if (error instanceof ConfigError || ['WrongChainError', 'UsageError'].includes((error as Error).name)) {
      console.error((error as Error).message);
      process.exit(2);
    }
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      const { address, port } = error as { address?: string; port?: number };
      console.error(`${nameOfPort(port)}: ${address}:${port} is taken by another process`);
      process.exit(2);
    }
    console.error(error);
    process.exit(1);
  }
}

/** Returns the version of package.json. */
function version(): string {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version;
}

const portNames = ['PORT', 'EDGE_PORT', 'CLICKHOUSE_PORT', 'DEVCHAIN_PORT', 'METRICS_PORT'] as const;

function nameOfPort(port: number | undefined): string {
  const config = configuration();
  return portNames.find((name) => config[name] === port) ?? 'port';
}

function addServiceCommands(program: Command): void {
  program
    .command('start')
    .description(
      'everything on one machine: embedded ClickHouse and dev chain where none is configured, pipeline, API, edge',
    )
    .option('--blocks <n>', 'history of the dev chain, blocks', wholeNumber, 1500)
    .action(async (options: { blocks: number }) => (await import('./start.ts')).runStart(configuration(), options));
  program
    .command('index')
    .description('the pipeline: backfill and follow the chain')
    .action(async () => (await import('#pipeline/main.ts')).runIndex(configuration()));
  program
    .command('api')
    .description('the API and explorer on PORT')
    .action(async () => (await import('#api/main.ts')).runApi(configuration()));
  program
    .command('edge')
    .description('the JSON-RPC edge on EDGE_PORT: writer, read pool, subscriptions')
    .action(async () => (await import('#edge/main.ts')).runEdge(configuration()));
  program
    .command('clickhouse')
    .description('the embedded ClickHouse on CLICKHOUSE_PORT, data in DATA_DIR')
    .action(async () => (await import('./clickhouse.ts')).runClickHouse(configuration()));
  program
    .command('devchain')
    .description('a local chain with varied traffic on DEVCHAIN_PORT')
    .option('--blocks <n>', 'blocks of history', wholeNumber, 1500)
    .option('--seed <n>', 'the same seed gives the same chain', wholeNumber, 1)
    .option('--block-seconds <n>', 'seconds between blocks of the history', wholeNumber, 60)
    .option('--genesis-time <unix>', 'time of the genesis block; absent: so that the history ends now', wholeNumber)
    .option('--interval <ms>', 'pause between live blocks, ms; 0: no live traffic', wholeNumber, 1000)
    .option('--documents <directory>', 'write a sample manifest of the registry and a directory of the ecosystem there')
    .option(
      '--reorg <depth>',
      'make the dev chain that runs on DEVCHAIN_PORT replace its last blocks, and leave',
      wholeNumber,
    )
    .action(async (options) => (await import('./devchain.ts')).runDevChain(configuration(), options));
}

function addToolCommands(program: Command): void {
  program
    .command('config')
    .description('show which settings are set, and what they mean')
    .option('--all', 'show the defaults too')
    .action(async (options: { all?: boolean }) => (await import('./config.ts')).runConfig(process.env, options));
  program
    .command('migrate')
    .description('bring the database to the newest schema')
    .action(async () => (await import('./tools.ts')).runMigrate(configuration()));
  program
    .command('status')
    .description('what is stored and how far behind it is')
    .action(async () => (await import('./tools.ts')).runStatus(configuration()));
  program
    .command('verify')
    .description('compare what is stored with what the node says now; exit code 1 on a difference')
    .option('--from <block>', 'first block', wholeNumber)
    .option('--to <block>', 'last block', wholeNumber)
    .option('--sample <n>', 'check n windows of 200 blocks picked at random', wholeNumber)
    .action(async (options) => (await import('./tools.ts')).runVerify(configuration(), options));
  program
    .command('rewind')
    .description('take everything above a block out of the database; the pipeline must be stopped')
    .argument('<block>', 'last block to keep', wholeNumber)
    .action(async (block: number) => (await import('./tools.ts')).runRewind(configuration(), block));
  program
    .command('sql')
    .description('print a statement as the database gets it, formatted; without a name: what there is')
    .argument('[name]', 'name of a file under sql/queries or sql/checks, without .sql')
    .option('--set <name=value>', 'value of a parameter; may be given again', collected, [])
    .option('--cluster <cluster>', 'as on a cluster of this name')
    .action(async (name, options) => (await import('./sql.ts')).runSql(name, options));
}

function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('save everything that is stored, while the service runs')
    .argument('<name>', 'name of the backup in BACKUP_DIR, or where the ClickHouse server keeps backups')
    .action(async (name: string) => (await import('./backup.ts')).runBackup(configuration(), name));
  program
    .command('restore')
    .description('make CLICKHOUSE_DATABASE, which must be empty, from a backup; the pipeline must be stopped')
    .argument('<name>', 'name of the backup')
    .action(async (name: string) => (await import('./backup.ts')).runRestore(configuration(), name));
  program
    .command('rederive')
    .description('make a derived table anew from the rows that it comes from; the pipeline must be stopped')
    .argument('<table>', 'a table that a view writes, or rollups')
    .action(async (table: string) => (await import('./backup.ts')).runRederive(configuration(), table));
}

function addCheckpointCommands(program: Command): void {
  const checkpoint = program.command('checkpoint').description('signed anchors of the index');
  checkpoint
    .command('verify')
    .description('check signatures, links and what the index holds now; exit code 1 on a fault')
    .option('--signer <address>', 'address that must have signed; absent: that of this service')
    .action(async (options) => (await import('./checkpoint.ts')).runCheckpointVerify(configuration(), options));
}

function addExportCommand(program: Command): void {
  program
    .command('export')
    .description(
      'write a history into files, each proved whole; goes on where an earlier run ended; exit code 1 on a gap',
    )
    .addArgument(new Argument('<kind>', 'what is exported').choices(exportKinds))
    .requiredOption('--out <directory>', 'directory of the files and their manifest')
    .option('--url <url>', 'origin of the API; absent: HOST and PORT')
    .option('--address <address>', 'only of this account; of logs: the emitter')
    .option('--token <address>', 'only transfers of this token')
    .option('--from-block <block>', 'first block', wholeNumber, 0)
    .option('--to-block <block>', 'last block; absent: the last settled one', wholeNumber)
    .addOption(new Option('--format <format>', 'of the files').choices(Object.keys(exportFormats)).default('ndjson'))
    .option('--part-blocks <n>', 'blocks in one file', wholeNumber, 100_000)
    .action(async (kind, options) => (await import('./export.ts')).runExport(configuration(), kind, options));
}

function addRegistryCommands(program: Command): void {
  program
    .command('registry')
    .description('the registry of entities')
    .command('import')
    .description('put a manifest in the place of the one before, whole or not at all; exit code 1 where it is refused')
    .argument('<file|url>', 'manifest, file or HTTPS URL')
    .option('--sha256 <hash>', 'SHA-256 that it must have')
    .action(async (location: string, { sha256 }: { sha256?: string }) =>
      (await import('./registry.ts')).runRegistryImport(configuration(), location, sha256),
    );
  program
    .command('integration')
    .description('requests of partners')
    .command('list')
    .description('all integration requests, one a line as JSON, newest first')
    .action(async () => (await import('./registry.ts')).runIntegrationList(configuration()));
}

function addIntegratorCommands(program: Command): void {
  const integrator = program
    .command('integrator')
    .description("an exchange's own side: deposits, withdrawals, node identity");
  const books = (command: Command) =>
    command
      .requiredOption('--store <directory>', 'directory of the books')
      .option('--api <origin>', 'origin of the API; absent: HOST and PORT')
      .option('--edge <url>', 'URL of the writer; absent: HOST and EDGE_PORT');
  integrator
    .command('check')
    .description('certificate of a node URL as JSON; exit code 1 where it is not to be used for money')
    .argument('<url>', 'JSON-RPC URL')
    .option('--reference <url>', 'a node that is trusted, to compare heads with')
    .option('--read-pool', 'it must refuse transactions')
    .action(async (url: string, options) => (await import('./integrator.ts')).runCheck(configuration(), url, options));
  books(integrator.command('deposits'))
    .description('credits deposits, each once, until it is stopped')
    .requiredOption('--addresses <file>', 'deposit addresses, one a line')
    .option('--min-value <wei>', 'least deposit', '1')
    .action(async (options) => (await import('./integrator.ts')).runMonitor(configuration(), options));
  books(integrator.command('withdrawals'))
    .description('pays withdrawals, each once, until it is stopped; WALLET_KEY signs')
    .requiredOption('--requests <file>', 'withdrawals, one a line: id, recipient, wei')
    .option('--gas-float <wei>', 'what stays in the wallet for gas', '1000000000000000000')
    .option('--max-pending <n>', 'withdrawals under way at once', wholeNumber, 16)
    .action(async (options) => (await import('./integrator.ts')).runSender(configuration(), options));
  integrator
    .command('books')
    .description('what is in the books, one entry a line')
    .requiredOption('--store <directory>', 'directory of the books')
    .action(async (options) => (await import('./integrator.ts')).runBooks(options));
}

const collected = (text: string, before: readonly string[]): string[] => [...before, text];

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('a whole number is expected');
  return value;
}

function configuration(): Config {
  return readConfig(process.env);
}
