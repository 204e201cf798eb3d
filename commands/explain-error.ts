import type { Config } from '#runtime/config.ts';
import { describeTakenPort, findPortVariable } from '#runtime/config-ports.ts';
import { createLog } from '#runtime/log.ts';
import { endBlock, printLine, writesText } from '#runtime/terminal.ts';
import { diskFull, StoreError } from '#sql/store-error.ts';

export interface Explanation {
  readonly text: string;
  readonly remedy: string;
  /** The error remains until the configuration changes. */
  readonly isConfiguration?: boolean;
}

export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** 2: the configuration or an argument must change; 1: other errors. */
  readonly exitCode: 1 | 2;
  constructor(message: string, exitCode: 1 | 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const failureEvent = 'command_failed';

export function endWithError(error: unknown, name: string, config: Config | undefined): never {
  const { message, exitCode } = toCommandError(error, config);
  endBlock();
  if (writesText) printLine(message);
  else createLog(name, 'fatal').fatal({ event: failureEvent, exitCode }, message);
  process.exit(exitCode);
}

export function createCommandError(subject: string, { text, remedy, isConfiguration }: Explanation): CommandError {
  return new CommandError(`${subject} ${text}: ${remedy}`, isConfiguration ? 2 : 1);
}

function toCommandError(error: unknown, config: Config | undefined): CommandError {
  if (error instanceof CommandError) return error;
  if (!(error instanceof Error)) return new CommandError(String(error), 1);
  if (configurationErrors.test(error.name)) return new CommandError(error.message, 2);
  if (error instanceof StoreError && config)
    return createCommandError(`ClickHouse at ${new URL(config.clickhouseUrl).host}`, explainStoreError(error, config));
  const system = error.message === 'fetch failed' ? (error.cause as Error) : error;
  return explainSystemError(system, config) ?? new CommandError(describeUnknown(error), 1);
}

const rejectedLogin = ['192', '193', '194', '516'];
const unknownDatabase = ['60', '81'];

export function explainStoreError(error: StoreError, config: Config): Explanation {
  const code = String((error.cause as { code?: unknown } | undefined)?.code ?? '');
  const isEmbedded = config.CLICKHOUSE_URL === undefined;
  if (rejectedLogin.includes(code))
    return {
      text: 'rejects the user or password',
      remedy: isEmbedded ? 'set DATA_DIR to the directory of the running ClickHouse' : 'correct them in CLICKHOUSE_URL',
      isConfiguration: true,
    };
  if (unknownDatabase.includes(code))
    return {
      text: `has no database ${config.CLICKHOUSE_DATABASE} with the schema of this version`,
      remedy: 'run cordscan index, or correct CLICKHOUSE_DATABASE',
    };
  if (code === diskFull || /No space left on device/i.test(error.message))
    return {
      text: 'has no free disk space',
      remedy: `free space${isEmbedded ? ', or set DATA_DIR to a larger disk' : ''}`,
    };
  if (error.retryable)
    return {
      text: `does not answer (${(error.cause as Error | undefined)?.message ?? error.message})`,
      remedy: isEmbedded ? 'start it by cordscan start or cordscan clickhouse' : 'start it, or correct CLICKHOUSE_URL',
    };
  return { text: `rejects a statement (${error.message})`, remedy: 'run cordscan doctor' };
}

function explainSystemError(error: NodeJS.ErrnoException, config: Config | undefined): CommandError | undefined {
  const { code, path: file = 'a file' } = error;
  const { address, port = 0 } = error as { address?: string; port?: number };
  const name = (config && findPortVariable(config, port)) ?? 'port';
  if (code === 'EADDRINUSE') return new CommandError(describeTakenPort({ name, host: String(address), port }), 2);
  if (code === 'EADDRNOTAVAIL')
    return new CommandError(`HOST: this machine has no address ${address}: set HOST to one of its addresses`, 2);
  if (code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ENOTFOUND')
    return new CommandError(`no answer (${error.message}): start the service, or correct its URL`, 1);
  if (code === 'EACCES' && address !== undefined)
    return new CommandError(`${name}: this user may not listen on port ${port}: set ${name} to a port above 1023`, 2);
  if (code === 'ENOSPC')
    return new CommandError(`the disk is full at ${file}: free space, or set DATA_DIR to a larger disk`, 1);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new CommandError(
      `${file} is not accessible (${code}): correct its permissions, or configure another file`,
      1,
    );
  if (code !== 'ENOENT') return undefined;
  if (file === config?.clickhousePasswordFile)
    return new CommandError(
      `no ClickHouse has run in DATA_DIR ${config.DATA_DIR}: run cordscan start, or correct DATA_DIR or CLICKHOUSE_URL`,
      1,
    );
  return new CommandError(`${file} does not exist: correct its name`, 1);
}

/** Errors that remain until the configuration or an argument changes. */
const configurationErrors = /^(ConfigError|WrongChainError|OtherChainError)$/;

/** Errors whose messages are for the operator. All others are bugs, printed with their stack. */
const spokenErrors =
  /^(Error|BackupError|ExportError|ManifestError|OtherSelectionError|TransportError|NodeError|CordscanError|CoverageError|ReorgError)$/;

const describeUnknown = (error: Error): string =>
  spokenErrors.test(error.name) ? error.message : (error.stack ?? error.message);
