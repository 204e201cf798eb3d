/** Stores the copy in ClickHouse. A row in the table commits, written last, completes a block range. */
import type { Addition, ExportedRow, ExportKind, TableSum } from '#client/index.ts';
import type { Database } from '#sql/client.ts';
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

const types = { integer: 'UInt64', amount: 'UInt256', text: 'String' } as const;

/** Maximum rows per INSERT. The database holds its text in memory. */
const insertRows = 10_000;

export class ClickHouseTarget implements Target {
  #isClean = false;
  readonly database: Database;

  private constructor(database: Database) {
    this.database = database;
  }

  /** @throws Error if the database has other tables with these names */
  static async open(database: Database): Promise<ClickHouseTarget> {
    const target = new ClickHouseTarget(database);
    try {
      await target.#createTables();
      return target;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  async #createTables(): Promise<void> {
    const { database } = this;
    const names = ['commits', ...tableOrder].map((name) => `'${name}'`);
    const present = await this.#read<PresentTable>(
      `SELECT table AS name, has_range FROM (SELECT table, max(name = 'from_block') AS has_range FROM system.columns
        WHERE database = currentDatabase() AND table IN (${names}) GROUP BY table) ORDER BY table`,
    );
    assertOwnTables(`the database ${database.options.database}`, present);
    await database.command(
      'CREATE TABLE IF NOT EXISTS commits (from_block UInt64, to_block UInt64, hash String) ENGINE = MergeTree ORDER BY from_block',
    );
    await database.command('ALTER TABLE commits ADD COLUMN IF NOT EXISTS generation UInt64 DEFAULT 0');
    for (const kind of tableOrder) {
      const { columns, key } = layouts[kind];
      const definitions = columns.map((column) => `\`${column.name}\` ${toType(column)}`).join(', ');
      await database.command(
        `CREATE TABLE IF NOT EXISTS ${kind} (${definitions}) ENGINE = MergeTree ORDER BY (${key.join(', ')})`,
      );
    }
  }

  async position(): Promise<string | undefined> {
    const [last] = await this.#read<{ to_block: string; hash: string; generation: string }>(
      'SELECT to_block, hash, generation FROM commits ORDER BY to_block DESC LIMIT 1',
    );
    return last && toPosition(last.to_block, last.hash, Number(last.generation));
  }

  async add(range: Addition): Promise<void> {
    assertContinues(await this.position(), range);
    if (!this.#isClean) await this.#deleteFrom(range.fromBlock); // rows of an interrupted range
    this.#isClean = false;
    for (const kind of tableOrder) await this.#insert(kind, range.rows[kind]);
    const { fromBlock, toBlock, hash, position } = range;
    try {
      await this.#assertStored(range);
    } catch (error) {
      // another process may have committed the same range: its next range then finds this one missing
      await this.remove(fromBlock).catch(() => undefined);
      throw error;
    }
    const row = `${fromBlock}, ${toBlock}, '${hash.replace(/\W/g, '')}', ${getGeneration(position)}`;
    await this.database.command(`INSERT INTO commits VALUES (${row})`);
    this.#isClean = true;
  }

  async remove(fromBlock: number): Promise<string | undefined> {
    const [cut] = await this.#read<{ from_block: string }>(
      `SELECT from_block FROM commits WHERE to_block >= ${fromBlock} ORDER BY from_block LIMIT 1`,
    );
    // remove entire ranges, because the position must be the end of a range
    const from = Math.min(fromBlock, Number(cut?.from_block ?? fromBlock));
    await this.database.command(`DELETE FROM commits WHERE from_block >= ${from}`);
    await this.#deleteFrom(from);
    return this.position();
  }

  async sum(toBlock: number): Promise<Holding> {
    const sums = await Promise.all(
      tableOrder.map(async (kind): Promise<[ExportKind, TableSum]> => {
        const [row] = await this.#read<{ rows: string; digest: string }>(toSumSql(kind, toBlock));
        return [kind, { rows: Number(row?.rows), digest: row?.digest ?? '' }];
      }),
    );
    const [ends] = await this.#read<{ from: string; to: string; count: string }>(
      `SELECT min(from_block) AS from, max(to_block) AS to, count() AS count FROM commits WHERE from_block <= ${toBlock}`,
    );
    const isEmpty = Number(ends?.count ?? 0) === 0;
    const blocks = isEmpty ? undefined : { from: Number(ends?.from), to: Math.min(Number(ends?.to), toBlock) };
    return { blocks, tables: Object.fromEntries(sums) as unknown as TableSums };
  }

  close(): Promise<void> {
    return this.database.close();
  }

  async #deleteFrom(block: number): Promise<void> {
    for (const kind of tableOrder) await this.database.command(`DELETE FROM ${kind} WHERE blockNumber >= ${block}`);
  }

  async #insert(kind: ExportKind, rows: readonly ExportedRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += insertRows) {
      const lines = rows.slice(at, at + insertRows).map((row) => JSON.stringify(row));
      await this.database.command(`INSERT INTO ${kind} FORMAT JSONEachRow\n${lines.join('\n')}`);
    }
  }

  /** Counts the stored rows, because an INSERT is repeated if its reply was lost. @throws Error */
  async #assertStored({ fromBlock, toBlock, tables }: Addition): Promise<void> {
    for (const kind of tableOrder) {
      const [row] = await this.#read<{ count: string }>(
        `SELECT count() AS count FROM ${kind} WHERE blockNumber BETWEEN ${fromBlock} AND ${toBlock}`,
      );
      if (Number(row?.count) !== tables[kind].rows)
        throw new Error(
          `stored ${row?.count} rows of ${kind} in blocks ${fromBlock} to ${toBlock}, expected ${tables[kind].rows}`,
        );
    }
  }

  #read<Row>(sql: string): Promise<Row[]> {
    const budget = { maxSeconds: 3_600, maxMemoryBytes: 4 * 2 ** 30, maxResultRows: 1_000 };
    return this.database.read<Row>({ name: 'mirror', serves: [], sql, parameters: [], budget });
  }
}

function toType({ type, isNullable }: Column): string {
  return isNullable ? `Nullable(${types[type]})` : types[type];
}

/** Returns SQL that computes RowDigest. */
function toSumSql(kind: ExportKind, toBlock: number): string {
  const { columns, identity } = layouts[kind];
  const texts = identity.map((name) => {
    const isNullable = columns.find((column) => column.name === name)?.isNullable;
    return isNullable ? `ifNull(toString(\`${name}\`), '')` : `toString(\`${name}\`)`;
  });
  const text = `concat(${texts.join(", ':', ")})`;
  const digest = `leftPad(lower(hex(sum(reinterpretAsUInt64(reverse(substring(SHA256(${text}), 1, 8)))))), 16, '0')`;
  return `SELECT count() AS rows, ${digest} AS digest FROM ${kind} WHERE blockNumber <= ${toBlock}`;
}
