/** SQL queries that clients save under a link. Saved versions do not change. @source docs/sql.md#saved-queries */
import { randomBytes } from 'node:crypto';
import PQueue from 'p-queue';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { readUserStatement } from './user-statement.ts';
import type { SqlEnd } from './view-snapshot.ts';

export const maxSavedQueries = 100;
const maxVersions = 20;

export interface QueryText {
  readonly title: string;
  readonly sql: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly at: SqlEnd;
}

export interface SavedQuery extends QueryText {
  readonly id: string;
  /** From 1. */
  readonly number: number;
  readonly owner: string;
  readonly createdMs: number;
}

export class SavedQueries {
  readonly database: Database;
  /** One at a time, so that version numbers are unique and limits are not exceeded. */
  readonly #changes = new PQueue({ concurrency: 1 });

  constructor(database: Database) {
    this.database = database;
  }

  /** Returns the newest version of each query of an identity. */
  async list(owner: string): Promise<SavedQuery[]> {
    return (await this.database.read('saved_queries', { owner })).map(parse);
  }

  /** Returns all versions, newest first. @throws ApiProblem not_found */
  async versions(id: string): Promise<readonly [SavedQuery, ...SavedQuery[]]> {
    const rows = await this.database.read('saved_query', { id });
    const [newest, ...older] = rows.map((row) => parse({ ...row, id }));
    if (!newest) throw new ApiProblem('not_found', `there is no saved query with the id ${id}`);
    return [newest, ...older];
  }

  /** @throws ApiProblem not_found if the identity has no such query */
  async requireOwn(owner: string, id: string): Promise<readonly [SavedQuery, ...SavedQuery[]]> {
    const versions = await this.versions(id);
    if (versions[0].owner !== owner) throw new ApiProblem('not_found', `you saved no query with the id ${id}`);
    return versions;
  }

  /** @throws ApiProblem bad_query if the SQL is rejected, or the identity has too many queries */
  create(owner: string, text: QueryText): Promise<SavedQuery> {
    return this.#changes.add(async () => {
      readUserStatement(text.sql);
      if ((await this.list(owner)).length >= maxSavedQueries)
        throw new ApiProblem('bad_query', `an identity may save at most ${maxSavedQueries} queries: delete one first`);
      return this.#add({ ...text, id: randomBytes(16).toString('hex'), owner, number: 1, createdMs: Date.now() });
    });
  }

  /** @throws ApiProblem not_found; bad_query for rejected SQL or too many versions */
  addVersion(owner: string, id: string, text: QueryText): Promise<SavedQuery> {
    return this.#changes.add(async () => {
      const [{ number }] = await this.requireOwn(owner, id);
      readUserStatement(text.sql);
      if (number >= maxVersions)
        throw new ApiProblem('bad_query', `a query may have at most ${maxVersions} versions: save it as a new query`);
      return this.#add({ ...text, id, owner, number: number + 1, createdMs: Date.now() });
    });
  }

  /** Removes all versions with their SQL. @throws ApiProblem not_found */
  remove(owner: string, id: string): Promise<void> {
    // waits for a running addVersion(), or its version would remain
    return this.#changes.add(async () => {
      const versions = await this.requireOwn(owner, id);
      await this.#write(
        versions.map((one) => ({ ...one, title: '', sql: '', parameters: {} })),
        1,
      );
    });
  }

  async #add(query: SavedQuery): Promise<SavedQuery> {
    await this.#write([query], 0);
    return query;
  }

  async #write(queries: readonly SavedQuery[], isRemoved: number): Promise<void> {
    const w = new RowWriter(4_096);
    for (const { id, number, owner, title, sql, parameters, at, createdMs } of queries) {
      w.text(id);
      w.uint32(number);
      for (const text of [owner, title, sql, JSON.stringify(parameters), at]) w.text(text);
      w.uint64(createdMs);
      w.uint8(isRemoved);
      w.uint64(Math.max(Date.now(), createdMs + isRemoved));
    }
    await this.database.insertRowBinary('saved_queries', w.view());
  }
}

interface Row {
  readonly id: string;
  readonly number: number;
  readonly owner: string;
  readonly title: string;
  readonly sql: string;
  readonly parameters: string;
  readonly at: string;
  readonly created_ms: string;
}

const parse = ({ parameters, at, created_ms, ...row }: Row): SavedQuery => ({
  ...row,
  parameters: JSON.parse(parameters) as Record<string, string>,
  at: at === 'head' ? 'head' : 'finalized',
  createdMs: Number(created_ms),
});
