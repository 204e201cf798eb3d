import test from 'ava';
import { query } from 'chdb';
import { allStatements, toText } from '#commands/sql.ts';
import { quoteString } from '#engine/bind-parameters.ts';
import { parameterMeanings } from '#sql/compile/parameter-meanings.ts';
import { getMeaning } from '#sql/compile/statements.ts';

const statements = allStatements();
const canonical = (sql: string) => query(`SELECT formatQuerySingleLine(${quoteString(sql)})`, 'TSVRaw');

test('every statement is printed as the engine reads it, with its name for the query log', (t) => {
  for (const statement of statements.values()) {
    const { name, sql, parameters } = statement;
    t.true(sql.endsWith(`/* ${name} */`));
    const text = toText(statements, name, { set: [] });
    t.is(canonical(text), canonical(sql), name);
    const unset = parameters.map((parameter) => `--   ${parameter}: ${getMeaning(statement, parameter)}\n`);
    const title = parameters.length === 0 ? `-- ${name}\n` : `-- ${name}; unset parameters:\n`;
    t.true(text.startsWith(title + unset.join('')), name);
  }
});

test('each general meaning of a parameter is used', (t) => {
  const used = new Set([...statements.values()].flatMap(({ parameters }) => parameters));
  t.deepEqual(
    Object.keys(parameterMeanings).filter((name) => !used.has(name)),
    [],
  );
});

test('values are bound by type, and errors are reported', (t) => {
  const set = ['hash=ab', "sender=o'x\\n", 'nonce=7', 'version=1'];
  const text = toText(statements, 'forget_withdrawal_bytes', { set });
  t.regex(text, /_CAST\('7', 'UInt64'\)/);
  t.true(text.includes(String.raw`unhex('o\'x\\n')`), text);
  t.false(text.includes('{'));
  t.throws(() => toText(statements, 'forget_withdrawal_bytes', { set: ['nonce=-1'] }), { message: /UInt64/ });
  t.throws(() => toText(statements, 'forget_withdrawal_bytes', { set: ['block=1'] }), {
    message: /no parameter block; its parameters/,
  });
  t.throws(() => toText(statements, 'forget_withdrawal_bytes', { set: ['nonce'] }), { message: /must be name=value/ });
  t.throws(() => toText(statements, 'forget_withdrawals', { set: [] }), {
    message: /similar names: .*forget_withdrawal_bytes/,
  });
});

test('cluster statements are printed as the servers receive them', (t) => {
  t.regex(
    toText(statements, 'running_writes', { set: [], cluster: 'main' }),
    /clusterAllReplicas\('main', system\.processes\)/,
  );
  const text = toText(statements, 'delete_above', { set: ['table=blocks', 'above=7'], cluster: 'main' });
  t.regex(text, /^ALTER TABLE blocks_local ON CLUSTER main\n/m);
});
