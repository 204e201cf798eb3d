/** Lists what SQL may contain in the embedded ClickHouse, by the names in ClickHouse’s syntax tree. */

interface StatementKind {
  readonly root: string;
  readonly readsOnly: boolean;
  /** First words of the SQL, if several kinds of statements have the same type in the syntax tree. */
  readonly begins?: RegExp;
  /** Functions and table engines that only this kind of statement may use. */
  readonly functions?: readonly string[];
}

const reads = (root: string): StatementKind => ({ root, readsOnly: true });
const writes = (root: string, more: Partial<StatementKind> = {}): StatementKind => ({
  root,
  readsOnly: false,
  ...more,
});

/** Table engines of a cluster, allowed only in EXPLAIN. */
const ofCluster = ['ReplicatedMergeTree', 'ReplicatedReplacingMergeTree', 'Distributed'];

export const statementKinds: readonly StatementKind[] = [
  ...['SelectWithUnionQuery', 'SelectIntersectExceptQuery', 'DescribeQuery', 'CheckQuery'].map(reads),
  ...['ShowTables', 'ShowColumns', 'ShowCreateTableQuery', 'ShowCreateDatabaseQuery', 'ShowCreateViewQuery'].map(reads),
  ...['ExistsTableQuery', 'ExistsViewQuery', 'ExistsDatabaseQuery', 'Set', 'UseQuery'].map(reads),
  { root: 'Explain', readsOnly: true, functions: ofCluster },
  ...['InsertQuery', 'DropQuery', 'TruncateQuery', 'AlterQuery', 'DeleteQuery', 'OptimizeQuery', 'KillQueryQuery'].map(
    (root) => writes(root),
  ),
  writes('CreateQuery', { begins: /^CREATE (OR REPLACE |TEMPORARY )?(TABLE|VIEW|MATERIALIZED VIEW|DATABASE) / }),
  writes('Rename', { begins: /^(RENAME TABLE|EXCHANGE TABLES) / }),
  writes('SYSTEM query', { begins: /^SYSTEM (START|STOP) MERGES/ }),
  // BACKUP and RESTORE can only use files in the backup directory
  ...['BackupQuery', 'RestoreQuery'].map((root) => writes(root, { functions: ['File'] })),
];

export const userStatements: ReadonlySet<string> = new Set([
  ...['SelectWithUnionQuery', 'SelectIntersectExceptQuery', 'DescribeQuery', 'Explain'],
]);

const alterCommands = `ADD_COLUMN DROP_COLUMN MODIFY_COLUMN RENAME_COLUMN COMMENT_COLUMN MATERIALIZE_COLUMN ADD_INDEX
  DROP_INDEX MATERIALIZE_INDEX ADD_PROJECTION DROP_PROJECTION MATERIALIZE_PROJECTION MODIFY_ORDER_BY MODIFY_TTL
  MATERIALIZE_TTL MODIFY_SETTING RESET_SETTING MODIFY_QUERY MODIFY_COMMENT DROP_PARTITION UPDATE DELETE`;

/**
 * Allowed node types of the syntax tree. The column transformer APPLY is forbidden, because the tree has no node for
 * its function.
 */
export const nodeKinds: readonly string[] = [
  ...statementKinds.map(({ root }) => root),
  ...alterCommands.split(/\s+/).map((command) => `AlterCommand ${command}`),
  ...`ExpressionList SelectQuery TablesInSelectQuery TablesInSelectQueryElement TableExpression TableJoin TableIdentifier
  ArrayJoin Subquery Function Identifier Literal Asterisk QualifiedAsterisk ColumnsTransformerList
  ColumnsExceptTransformer ColumnsReplaceTransformer ColumnsReplaceTransformer::Replacement ColumnsRegexpMatcher
  ColumnsListMatcher OrderByElement InterpolateElement StorageOrderByElement WindowDefinition WindowListElement
  WithElement SampleRatio Set DataType EnumDataType NameTypePair ColumnDeclaration Index Projection ProjectionSelectQuery
  Constraint ViewTargets Partition Partition_ID Assignment TTLElement`.split(/\s+/),
  'Columns definition',
  'Storage definition',
  'Refresh strategy definition',
  'View SQL Security',
];

/** Allowed functions that are not in system.functions: syntax, table functions, engines, codecs, index types. */
export const otherFunctions: ReadonlySet<string> = new Set(
  `lambda exists grouping untuple columns array tuple cast CAST CODEC
  input numbers zeros values generateSeries
  Atomic Memory Null MergeTree ReplacingMergeTree SummingMergeTree AggregatingMergeTree CollapsingMergeTree
  VersionedCollapsingMergeTree CoalescingMergeTree
  NONE LZ4 LZ4HC ZSTD Delta DoubleDelta Gorilla GCD T64 FPC
  minmax set bloom_filter ngrambf_v1 tokenbf_v1 text`.split(/\s+/),
);

/** Allowed argument count of functions that contact another host if they get more arguments. */
export const argumentCounts: ReadonlyMap<string, number> = new Map([['hasColumnInTable', 3]]);

const settings = new Set(
  `async_insert compile_expressions compile_aggregate_expressions compile_sort_description mutations_sync log_comment
  priority insert_deduplication_token index_granularity fsync_after_insert fsync_part_directory
  join_use_nulls transform_null_in aggregate_functions_null_for_empty final insert_deduplicate
  non_replicated_deduplication_window join_algorithm readonly do_not_merge_across_partitions_select_final`.split(/\s+/),
);

/** Allows limits and output options, but no settings that contain SQL, paths or addresses. */
export function isAllowedSetting(name: string): boolean {
  return (
    settings.has(name) ||
    /^(max|min|optimize|merge_tree)_\w+$/.test(name) ||
    // excludes output_format_schema: the engine writes to the path in its value
    /^(output_format_(?!schema)|format_csv_|format_tsv_)\w+$/.test(name)
  );
}
