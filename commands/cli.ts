import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { exactFormats, exportKinds } from '#api/read/export/kinds.ts';
import { defaultConfirmations } from '#integrator/needed-confirmations.ts';
import { type Config, readConfig } from '#runtime/config.ts';
import { version } from '#runtime/version.ts';
import { addExamples } from './examples.ts';
import { endWithError } from './explain-error.ts';

/** Exit code: 2 for an invalid configuration or argument or a wrong chain, 1 for other errors. */
export async function runCli(argv: readonly string[]): Promise<void> {
  const program = new Command('cordscan').description('Explorer, APIs and exchange integration for one EVM chain');
  // only --help and --version end without an error
  program.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  program.version(version, '-V, --version', 'print the version');
  addServiceCommands(program);
  addToolCommands(program);
  addBackupCommands(program);
  addCheckpointCommands(program);
  addExportCommand(program);
  addCheckCommand(program);
  addMirrorCommand(program);
  addRegistryCommands(program);
  addIntegratorCommands(program);
  addExamples(program);
  try {
    await program.parseAsync(argv as string[]);
  } catch (error) {
    endWithError(error, argv[2] ?? 'cordscan', usedConfig);
  }
}

function addServiceCommands(program: Command): void {
  program
    .command('start')
    .description(
      'run pipeline, API and edge on this machine; also an embedded ClickHouse if CLICKHOUSE_URL is unset, and a dev chain (local test chain) if RPC_URL is unset',
    )
    .option('--blocks <n>', 'length of the dev chain history, blocks', wholeNumber, 1500)
    .action(async (options: { blocks: number }) => (await import('./start.ts')).runStart(configuration(), options));
  program
    .command('index')
    .description('run the pipeline: index the history of the chain, then each new block')
    .option('--from-cache', 'index the blocks in RAW_CACHE_DIR without a node, then exit')
    .action(async (options) => (await import('#pipeline/main.ts')).runIndex(configuration(), options));
  program
    .command('api')
    .description('run the API and explorer on PORT')
    .action(async () => (await import('./api.ts')).runApiCommand(configuration()));
  program
    .command('edge')
    .description('run the JSON-RPC edge on EDGE_PORT: forward requests to nodes, and serve subscriptions')
    .action(async () => (await import('#edge/main.ts')).runEdge(configuration()));
  program
    .command('clickhouse')
    .description('run the embedded ClickHouse on CLICKHOUSE_PORT with data in DATA_DIR')
    .action(async () => (await import('./clickhouse.ts')).runClickHouse(configuration()));
  program
    .command('devchain')
    .description('run a dev chain (local test chain) with sample transactions on DEVCHAIN_PORT')
    .option('--blocks <n>', 'number of blocks in the history', wholeNumber, 1500)
    .option('--seed <n>', 'random seed; the same seed gives the same chain', wholeNumber, 1)
    .option('--block-seconds <n>', 'time between blocks of the history, seconds', wholeNumber, 60)
    .option(
      '--genesis-time <unix>',
      'timestamp of the genesis block, Unix seconds; unset: the history ends now',
      wholeNumber,
    )
    .option('--interval <ms>', 'time between live blocks, ms; 0: no live blocks', wholeNumber, 1000)
    .option('--documents <directory>', 'directory for sample files, such as a registry manifest')
    .option('--reorg <depth>', 'replace the newest <depth> blocks of the running dev chain, then exit', wholeNumber)
    .action(async (options) => (await import('./devchain.ts')).runDevChain(configuration(), options));
}

function addToolCommands(program: Command): void {
  program
    .command('config')
    .description('print the settings that are set, and their meaning')
    .option('--all', 'also print settings with default values')
    .action(async (options: { all?: boolean }) => (await import('./config.ts')).runConfig(process.env, options));
  program
    .command('doctor')
    .description('check disk, ports, nodes and database, and say what to do; exit code 1 if a check finds an error')
    .action(async () => (await import('./doctor.ts')).runDoctor(configuration()));
  program
    .command('migrate')
    .description('migrate the database to the newest schema')
    .action(async () => (await import('./tools.ts')).runMigrate(configuration()));
  program
    .command('status')
    .description('print the stored block range and the lag behind the chain')
    .action(async () => (await import('./tools.ts')).runStatus(configuration()));
  program
    .command('verify')
    .description(
      'compare the stored data with the node; exit code 1 on a difference, or if requested blocks were not compared',
    )
    .option('--from <block>', 'first block', wholeNumber)
    .option('--to <block>', 'last block', wholeNumber)
    .option('--sample <n>', 'number of random ranges of 200 blocks to check; unset: check all blocks', wholeNumber)
    .option('--from-cache', 'compare with the blocks in RAW_CACHE_DIR instead of the node')
    .action(async (options) => (await import('./tools.ts')).runVerify(configuration(), options));
  program
    .command('rewind')
    .description('delete all stored data above a block; stop the pipeline first')
    .argument('<block>', 'last block to keep', wholeNumber)
    .action(async (block: number) => (await import('./tools.ts')).runRewind(configuration(), block));
  program
    .command('sql')
    .description('print an SQL statement as the service sends it to the database; without a name: list all statements')
    .argument('[name]', 'name of a file under sql/queries or sql/checks, without .sql')
    .option('--set <name=value>', 'value of an SQL parameter; may be repeated', collected, [])
    .option('--cluster <cluster>', 'ClickHouse cluster for which the statement is printed; unset: one server')
    .action(async (name, options) => (await import('./sql.ts')).runSql(name, options));
}

function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('back up the complete database; the service may keep running')
    .argument('<name>', 'name of the backup in BACKUP_DIR, or in the backup directory of the ClickHouse server')
    .action(async (name: string) => (await import('./backup.ts')).runBackup(configuration(), name));
  program
    .command('restore')
    .description('restore a backup into CLICKHOUSE_DATABASE, which must be empty; stop the pipeline first')
    .argument('<name>', 'name of the backup')
    .option('--unchecked', 'also restore a backup of an earlier version, which has no proof that it is complete')
    .action(async (name: string, options) => (await import('./backup.ts')).runRestore(configuration(), name, options));
  program
    .command('rederive')
    .description('rebuild a derived table from its source rows; pipeline and API may run')
    .argument(
      '<table>',
      'derived table, for example token_transfers or block_figures, or "rollups" for all precomputed sums',
    )
    .action(async (table: string) => (await import('./backup.ts')).runRederive(configuration(), table));
}

function addCheckpointCommands(program: Command): void {
  const checkpoint = program
    .command('checkpoint')
    .description('verify the signed checkpoints (row counts and digests) of the index');
  checkpoint
    .command('verify')
    .description(
      'check the signature of each checkpoint and its link to the previous one, and compare the index with it; exit code 1 if a check fails',
    )
    .option('--signer <address>', 'address that must have signed the checkpoints; unset: address of this service')
    .action(async (options) => (await import('./checkpoint.ts')).runCheckpointVerify(configuration(), options));
}

function addExportCommand(program: Command): void {
  program
    .command('export')
    .description(
      'export blockchain records to files and verify each file; continues an interrupted export; exit code 1 if blocks are not indexed or not final',
    )
    .addArgument(new Argument('<kind>', 'records to export').choices(exportKinds))
    .requiredOption('--out <directory>', 'directory for the files and their manifest')
    .option('--url <url>', 'URL of the API; unset: address from HOST and PORT')
    .option('--address <address>', 'export only records of this account; for logs, the contract that emitted them')
    .option('--token <address>', 'export only transfers of this token')
    .option('--from-block <block>', 'first block', wholeNumber, 0)
    .option('--to-block <block>', 'last block; unset: the last finalized block', wholeNumber)
    .addOption(new Option('--format <format>', 'file format').choices(Object.keys(exactFormats)).default('ndjson'))
    .option('--part-blocks <n>', 'number of blocks per file', wholeNumber, 100_000)
    .action(async (kind, options) => (await import('./export.ts')).runExport(configuration(), kind, options));
}

function addCheckCommand(program: Command): void {
  program
    .command('check')
    .description(
      'check content and signatures of exported files or a proof of reserves, without the service; exit code 1 if a check fails',
    )
    .argument(
      '<path>',
      'directory of cordscan export, exported file (ndjson, csv, parquet), or reply of POST /reserves (json)',
    )
    .option('--keys <file|url>', 'keys of the service (/.well-known/jwks.json); unset: signatures are not checked')
    .option('--certificate <file>', 'certificate file, if the exported file does not contain its certificate')
    .option('--address <address>', 'the file was requested with this address')
    .option('--token <address>', 'the file was requested with this token')
    .action(async (path, options) => (await import('./check-export.ts')).runCheckExport(path, options));
}

function addMirrorCommand(program: Command): void {
  program
    .command('mirror')
    .description('copy the chain to files or a database, and keep the copy up to date; a restart continues the copy')
    .requiredOption(
      '--to <target>',
      'target of the copy: a directory (Parquet files), clickhouse://user:password@host:8123/database, or postgres://user:password@host/database?schema=cordscan',
    )
    .option('--url <url>', 'URL of the API; unset: address from HOST and PORT')
    .option('--key <key>', 'API key for the service; unset: none')
    .option('--once', 'exit at the newest block; unset: wait for new blocks')
    .option('--check', 'only compare the copy with the certificates of the service; exit code 1 if they differ')
    .action(async (options) => (await import('./mirror.ts')).runMirror(configuration(), options));
}

function addRegistryCommands(program: Command): void {
  program
    .command('registry')
    .description('import the registry: names of accounts, contracts and other entities')
    .command('import')
    .description(
      'replace all named entities by those of a manifest (JSON), in one step; exit code 1 if the import fails',
    )
    .argument('<file|url>', 'file or HTTPS URL of the manifest')
    .option('--sha256 <hash>', 'expected SHA-256 of the manifest; unset: not checked')
    .action(async (location: string, { sha256 }: { sha256?: string }) =>
      (await import('./registry.ts')).runRegistryImport(configuration(), location, sha256),
    );
  program
    .command('integration')
    .description('list integration requests, which exchanges send by a contact form')
    .command('list')
    .description('print all integration requests, one JSON object per line, newest first')
    .action(async () => (await import('./registry.ts')).runIntegrationList(configuration()));
}

function addIntegratorCommands(program: Command): void {
  const integrator = program
    .command('integrator')
    .description('programs for an exchange: credit deposits, pay withdrawals, check nodes');
  integrator
    .command('check')
    .description('check a node before you use it for payments, and print the result as JSON; exit code 1 if it fails')
    .argument('<url>', 'JSON-RPC URL')
    .option('--reference <url>', 'URL of a trusted node; the checked node must not lag behind it')
    .option('--read-pool', 'require that the node rejects transactions')
    .option('--tx <hash>', 'transaction whose receipt is checked; unset: one of the last blocks')
    .action(async (url: string, options) => (await import('./integrator.ts')).runCheck(configuration(), url, options));
  addDepositCommands(integrator);
  addBookOptions(integrator.command('withdrawals'))
    .description('pay each withdrawal exactly once, signed with WALLET_KEY; runs until stopped')
    .requiredOption('--requests <file>', 'file of withdrawals, one per line: id, recipient, wei')
    .option('--new-store', 'accept a store that does not know all transactions of the wallet')
    .option('--gas-float <wei>', 'balance reserved for gas, wei', '1000000000000000000')
    .option('--max-gas-price <wei>', 'highest price of a payout, wei per gas', '10000000000000')
    .option('--max-pending <n>', 'maximum pending withdrawals', wholeNumber, 16)
    .action(async (options) => (await import('./integrator.ts')).runSender(configuration(), options));
  integrator
    .command('books')
    .description('print all stored credits and payouts, one JSON object per line')
    .requiredOption('--store <directory>', 'directory that stores credits and payouts')
    .action(async (options) => (await import('./integrator.ts')).runBooks(options));
}

const addBookOptions = (command: Command) =>
  command
    .requiredOption('--store <directory>', 'directory that stores credits and payouts')
    .option('--api <origin>', 'URL of the API; unset: address from HOST and PORT')
    .option('--edge <url>', 'URL of the JSON-RPC edge (proxy to the nodes); unset: address from HOST and EDGE_PORT')
    .option('--key <key>', 'API key for the service, with higher limits; unset: none');

function addDepositCommands(integrator: Command): void {
  addBookOptions(integrator.command('deposits'))
    .description('credit each deposit exactly once; runs until stopped')
    .requiredOption('--addresses <file>', 'file of deposit addresses, one per line')
    .option('--min-value <wei>', 'minimum deposit, wei', '1')
    .option(
      '--confirmations <n>',
      'confirmations that a deposit needs, at least 20',
      wholeNumber,
      defaultConfirmations.least,
    )
    .option(
      '--confirmations-above <amount=n>',
      'confirmations that deposits of more than an amount of FAT need; may be repeated',
      collected,
      [],
    )
    .action(async (options) => (await import('./integrator.ts')).runMonitor(configuration(), options));
  integrator
    .command('acknowledge')
    .description('let the monitor credit again, although the deposit of a credit was removed from the chain or changed')
    .argument('<tx>', 'hash of the transaction that was credited')
    .requiredOption('--store <directory>', 'directory that stores credits; stop the monitor first')
    .action(async (tx: string, options) =>
      (await import('./integrator.ts')).runAcknowledge(configuration(), tx, options),
    );
}

const collected = (text: string, before: readonly string[]): string[] => [...before, text];

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('must be a non-negative integer.');
  return value;
}

let usedConfig: Config | undefined;

function configuration(): Config {
  usedConfig = readConfig(process.env);
  return usedConfig;
}
