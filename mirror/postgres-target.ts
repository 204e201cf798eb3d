/** Stores the copy in PostgreSQL. One transaction writes a block range and its row in the table `commits`. */
import pg from 'pg';
import type { Addition, ExportedRow, ExportKind, TableSum } from '#client/index.ts';
import { type Column, layouts } from './columns.ts';
import {
  assertContinues,
  assertOwnTables,
  getGeneration,
  type Holding,
  type PresentTable,
  type TableSums,
  type Target,
  tableOrder,
  toPosition,
} from './target.ts';

const types = { integer: 'bigint', amount: 'numeric(78, 0)', text: 'text' } as const;

/** Maximum rows per INSERT, sent as one JSON parameter. */
const insertRows = 5_000;

/** Without these, a server that vanishes without closing its connection would block the mirror forever. */
const limits = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 30_000,
  query_timeout: 600_000,
} as const;

/** Time limit of a sum over all rows of a table, ms. */
const sumTimeoutMs = 6 * 3_600_000;

export class PostgresTarget implements Target {
  readonly #client: pg.Client;
  readonly schema: string;

  private constructor(client: pg.Client, schema: string) {
    this.#client = client;
    this.schema = schema;
  }

  /** @param url postgres://user:password@host:port/database; `?schema=` selects the schema (default cordscan) */
  static async open(url: string): Promise<PostgresTarget> {
    const parsed = new URL(url);
    const schema = parsed.searchParams.get('schema') ?? 'cordscan';
    parsed.searchParams.delete('schema');
    const client = new pg.Client({ connectionString: parsed.href, ...limits });
    // without a listener, a lost connection would end the process; the running query fails anyway
    client.on('error', () => undefined);
    await client.connect();
    const target = new PostgresTarget(client, schema);
    try {
      await target.#createTables();
      return target;
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  /** @throws Error if the schema has other tables with these names */
  async #createTables(): Promise<void> {
    const [client, schema] = [this.#client, this.schema];
    const { rows } = await client.query(
      `SELECT table_name AS name, bool_or(column_name = 'from_block') AS has_range FROM information_schema.columns
        WHERE table_schema = $1 AND table_name = ANY($2) GROUP BY table_name ORDER BY table_name`,
      [schema, ['commits', ...tableOrder]],
    );
    assertOwnTables(`the schema ${schema}`, rows as PresentTable[]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${quote(schema)}`);
    await client.query(`SET search_path TO ${quote(schema)}`);
    await client.query(
      'CREATE TABLE IF NOT EXISTS commits (from_block bigint PRIMARY KEY, to_block bigint NOT NULL, hash text NOT NULL)',
    );
    await client.query('ALTER TABLE commits ADD COLUMN IF NOT EXISTS generation bigint NOT NULL DEFAULT 0');
    for (const kind of tableOrder) {
      const { columns, key } = layouts[kind];
      const definitions = columns.map((column) => `${quote(column.name)} ${toType(column)}`);
      const primary = `PRIMARY KEY (${key.map(quote).join(', ')})`;
      await client.query(`CREATE TABLE IF NOT EXISTS ${kind} (${[...definitions, primary].join(', ')})`);
    }
  }

  async position(): Promise<string | undefined> {
    const { rows } = await this.#client.query(
      'SELECT to_block, hash, generation FROM commits ORDER BY to_block DESC LIMIT 1',
    );
    const [last] = rows as { to_block: string; hash: string; generation: string }[];
    return last && toPosition(last.to_block, last.hash, Number(last.generation));
  }

  async add(range: Addition): Promise<void> {
    const { fromBlock, toBlock, hash, rows, position } = range;
    await this.#inTransaction(async () => {
      assertContinues(await this.position(), range);
      for (const kind of tableOrder) await this.#insert(kind, rows[kind]);
      await this.#client.query('INSERT INTO commits VALUES ($1, $2, $3, $4)', [
        fromBlock,
        toBlock,
        hash,
        getGeneration(position),
      ]);
    });
  }

  async remove(fromBlock: number): Promise<string | undefined> {
    await this.#inTransaction(async () => {
      const asked = 'SELECT from_block FROM commits WHERE to_block >= $1 ORDER BY from_block LIMIT 1';
      const [cut] = (await this.#client.query(asked, [fromBlock])).rows as { from_block: string }[];
      // remove entire ranges, because the position must be the end of a range
      const from = Math.min(fromBlock, Number(cut?.from_block ?? fromBlock));
      for (const kind of tableOrder) await this.#client.query(`DELETE FROM ${kind} WHERE "blockNumber" >= $1`, [from]);
      await this.#client.query('DELETE FROM commits WHERE from_block >= $1', [from]);
    });
    return this.position();
  }

  async sum(toBlock: number): Promise<Holding> {
    const tables: Partial<Record<ExportKind, TableSum>> = {};
    for (const kind of tableOrder) {
      const query = { text: toSumSql(kind), values: [toBlock], query_timeout: sumTimeoutMs };
      const { rows } = await this.#client.query(query);
      const [row] = rows as { rows: string; digest: string }[];
      const digest = BigInt.asUintN(64, BigInt(row?.digest ?? 0));
      tables[kind] = { rows: Number(row?.rows), digest: digest.toString(16).padStart(16, '0') };
    }
    const asked = 'SELECT min(from_block) AS from_block, max(to_block) AS to_block FROM commits WHERE from_block <= $1';
    const [ends] = (await this.#client.query(asked, [toBlock])).rows as { from_block: string; to_block: string }[];
    const isEmpty = ends === undefined || ends.from_block === null;
    const blocks = isEmpty
      ? undefined
      : { from: Number(ends.from_block), to: Math.min(Number(ends.to_block), toBlock) };
    return { blocks, tables: tables as TableSums };
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  async #insert(kind: ExportKind, rows: readonly ExportedRow[]): Promise<void> {
    const names = layouts[kind].columns.map(({ name }) => quote(name)).join(', ');
    for (let at = 0; at < rows.length; at += insertRows) {
      const part = JSON.stringify(rows.slice(at, at + insertRows));
      const source = `json_populate_recordset(NULL::${kind}, $1::json)`;
      await this.#client.query(`INSERT INTO ${kind} (${names}) SELECT ${names} FROM ${source}`, [part]);
    }
  }

  async #inTransaction(work: () => Promise<void>): Promise<void> {
    await this.#client.query('BEGIN');
    try {
      await this.#client.query('LOCK TABLE commits IN EXCLUSIVE MODE'); // readers continue
      await work();
      await this.#client.query('COMMIT');
    } catch (error) {
      await this.#client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
const toType = ({ type, isNullable }: Column) => `${types[type]}${isNullable ? '' : ' NOT NULL'}`;

/** Returns SQL that computes RowDigest before its reduction modulo 2^64. */
function toSumSql(kind: ExportKind): string {
  const texts = layouts[kind].identity.map((name) => `COALESCE(${quote(name)}::text, '')`);
  const hash = `substring(sha256(convert_to(concat_ws(':', ${texts.join(', ')}), 'UTF8')) FROM 1 FOR 8)`;
  const half = (from: number) =>
    `('x' || encode(substring(${hash} FROM ${from} FOR 4), 'hex'))::bit(32)::bigint::numeric`;
  const digest = `COALESCE(sum(${half(1)} * 4294967296 + ${half(5)}), 0)::text`;
  return `SELECT count(*) AS rows, ${digest} AS digest FROM ${kind} WHERE "blockNumber" <= $1`;
}
