/** Shows the progress of `cordscan start` on a terminal. */
import type { Config } from '#runtime/config.ts';
import { getFirst } from '#runtime/lists.ts';
import { toText } from '#runtime/log.ts';
import { toOrigin } from '#runtime/origins.ts';
import { inDigits } from '#runtime/pace.ts';
import { bar, type ProgressMessage } from '#runtime/progress-line.ts';
import { endBlock, printLine, showBlock } from '#runtime/terminal.ts';
import { failureEvent } from './explain-error.ts';

const rowNames = ['database', 'chain', 'index', 'explorer'] as const;
export type RowName = (typeof rowNames)[number];
type State = 'waiting' | 'running' | 'done';
const marks: Readonly<Record<State, string>> = { waiting: '·', running: '›', done: '✓' };
const warning = 40;
const repeatMs = 60_000;

interface LogLine {
  readonly level?: number;
  readonly event?: string;
  readonly msg?: string;
  readonly [field: string]: unknown;
}

type EventAction = (line: LogLine) => void;

export class StartScreen {
  readonly #rows = new Map<RowName, { state: State; text: string }>(
    rowNames.map((name) => [name, { state: 'waiting', text: '' }]),
  );
  readonly #config: Config;
  readonly #actions: Readonly<Record<string, EventAction>>;
  /** Time of the last shown warning by log event, Unix ms. */
  readonly #warnedAt = new Map<string, number>();
  #indexed = '';
  #isEnded = false;

  constructor(config: Config) {
    this.#config = config;
    this.#actions = {
      backfill_planned: ({ blocks }) => this.set('index', 'running', `${inDigits(Number(blocks))} blocks to index`),
      backfill_done: ({ blocks, seconds }) => {
        this.#indexed = `${inDigits(Number(blocks))} blocks in ${String(seconds)} s; `;
      },
      history_complete: () => this.set('index', 'done', `${this.#indexed}history is complete, follows the chain`),
      standing_by: () =>
        this.set('index', 'done', 'another pipeline writes the index; this pipeline takes over if the other one stops'),
      api_ready: () => this.set('explorer', 'done', `${getOrigin(config)}, open it any time`),
    };
  }

  /** At least info, because the screen needs the events of child processes. */
  get childLevel(): string {
    return this.#showsAll ? this.#config.LOG_LEVEL : 'info';
  }

  get #showsAll(): boolean {
    return ['debug', 'trace'].includes(this.#config.LOG_LEVEL);
  }

  readonly onLine = (line: string): void => {
    const entry = parseLine(line);
    const { event = '', level = warning, msg } = entry ?? {};
    this.#actions[event]?.(entry ?? {});
    if (event === failureEvent && entry?.['exitCode'] === 2) this.#end(`\n${msg}`);
    else if (event === failureEvent) printLine(String(msg));
    else if (this.#isShown(event, level)) printLine(toText(line));
  };

  /** Shows a warning at most once per minute, because an outage logs it every second. */
  #isShown(event: string, level: number): boolean {
    if (this.#showsAll || level !== warning || event === '') return this.#showsAll || level >= warning;
    const isRepeated = Date.now() - (this.#warnedAt.get(event) ?? 0) < repeatMs;
    if (!isRepeated) this.#warnedAt.set(event, Date.now());
    return !isRepeated;
  }

  readonly onMessage = (message: unknown): void => {
    const { progress } = message as Partial<ProgressMessage>;
    const name = rowNames.find((row) => row === progress?.label);
    if (name && progress && this.#rows.get(name)?.state !== 'done')
      this.set(name, 'running', `${bar(progress.share)} ${progress.text}`);
  };

  set(name: RowName, state: State, text: string): void {
    if (this.#isEnded) return;
    this.#rows.set(name, { state, text });
    const lines = [...this.#rows].map(([row, shown]) => `  ${marks[shown.state]} ${row.padEnd(10)} ${shown.text}`);
    showBlock(`\n  Cordscan, chain ${this.#config.CHAIN_ID}\n\n${lines.join('\n').trimEnd()}\n`);
    if ([...this.#rows.values()].every((row) => row.state === 'done')) this.#end(describeUrls(this.#config));
  }

  stop(): void {
    this.#end('  stopping all processes …');
  }

  #end(text: string): void {
    if (!this.#isEnded) endBlock();
    this.#isEnded = true;
    printLine(text);
  }
}

function parseLine(line: string): LogLine | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the explorer's URL for a browser on this machine. */
export function getOrigin({ HOST, PORT, PUBLIC_URL }: Config): string {
  return PUBLIC_URL ? new URL(PUBLIC_URL).origin : toOrigin(HOST, PORT);
}

const getHost = (url: string) => new URL(url).host;

export function describeChain(config: Config, isAnother: boolean): string {
  if (config.RPC_URL) return config.rpcUrls.map(getHost).join(', ');
  const news = isAnother ? '; replaced the earlier one; API keys, address sets and venues remain' : '';
  return `dev chain on ${getHost(getFirst(config.rpcUrls))}, a block every second${news}`;
}

export function describeDatabase(config: Config): string {
  const host = getHost(config.clickhouseUrl);
  return config.CLICKHOUSE_URL ? `ClickHouse on ${host}` : `embedded ClickHouse on ${host}, data in ${config.DATA_DIR}`;
}

function describeUrls(config: Config): string {
  const origin = getOrigin(config);
  return `
  API          ${origin}/api/v1/stats
  compatible   ${origin}/api?module=account&action=balance&address=0x…
  RPC edge     ${toOrigin(config.HOST, config.EDGE_PORT)}, subscriptions on the same port
  docs         ${origin}/docs
  status       ${origin}/api/v1/status

  ready: open ${origin}     (Ctrl-C stops all processes)
`;
}
