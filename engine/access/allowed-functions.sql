-- What:      functions that a client's statement may call. They have no access to files, hosts, models, dictionaries or
--            the machine.
-- Returns:   one row per function name; is_folded = 1 if the name is case-insensitive.
-- Read by:   engine/engine-parser.ts, once per start, to check statements.
SELECT
    name,
    case_insensitive AS is_folded
FROM system.functions
WHERE name NOT IN (SELECT name FROM system.table_functions) AND (is_aggregate
   OR if(alias_to = '', categories, (
          SELECT CAST((groupArray(name), groupArray(categories)), 'Map(String, String)') FROM system.functions
      )[alias_to]) IN (
          'Arithmetic', 'Arrays', 'Bit', 'Bitmap', 'Comparison', 'Conditional', 'Dates and Times', 'Distance', 'Encoding',
          'Hash', 'IP Address', 'JSON', 'Logical', 'Map', 'Mathematical', 'Null', 'Random Number', 'Rounding', 'String',
          'String Replacement', 'String Search', 'String Splitting', 'Time Series', 'Time Window', 'Tuple',
          'Type Conversion', 'URL', 'UUID'
      )
   OR name IN (
          '_CAST', 'bar', 'byteSize', 'caseWithExpression', 'countDigits', 'currentDatabase', 'defaultValueOfTypeName',
          'digits', 'finalizeAggregation', 'formatReadableQuantity', 'formatReadableSize', 'formatReadableTimeDelta',
          'getSetting', 'identity', 'ignore', 'indexHint', 'initializeAggregation', 'isConstant', 'materialize', 'neighbor',
          'nested', 'rowNumberInAllBlocks', 'rowNumberInBlock', 'runningAccumulate', 'runningDifference', 'sleep', 'sleepEachRow',
          'throwIf', 'toTypeName', 'transform', 'uptime', 'variantElement', 'variantType', 'version'
      ))
