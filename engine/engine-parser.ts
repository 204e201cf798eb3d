import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoteString } from './bind-parameters.ts';
import type { Engine } from './engine.ts';
import { EngineException } from './exception.ts';
import type { EngineParser } from './judge-statement.ts';

const allowedFunctions = readFileSync(join(import.meta.dirname, 'access/allowed-functions.sql'), 'utf8');

/** Syntax errors are EngineException 62. */
export function engineParser(engine: Engine): EngineParser {
  const lines = async (sql: string) => (await engine.readText(sql).catch(rethrow)).split('\n').slice(0, -1);
  return {
    parse: async (sql) => {
      const written = await engine.readText(`SELECT formatQuerySingleLine(${quoteString(sql)})`).catch(rethrow);
      const canonical = written.trimEnd();
      // formatQuerySingleLine() accepts only one statement, so no second one can follow EXPLAIN AST
      const tree = await lines(`EXPLAIN AST ${canonical}`);
      return { tree: tree.filter((line) => line !== ''), canonical };
    },
    functionNames: async () => {
      const rows = (await lines(allowedFunctions)).map((line) => line.split('\t'));
      const named = (isFolded: string) => rows.flatMap(([name = '', folded]) => (folded === isFolded ? [name] : []));
      const combinators = await lines(
        'SELECT name FROM system.aggregate_function_combinators ORDER BY length(name) DESC',
      );
      return { exact: new Set(named('0')), folded: new Set(named('1').map((name) => name.toLowerCase())), combinators };
    },
  };
}

function rethrow(error: unknown): never {
  throw EngineException.from(error);
}
