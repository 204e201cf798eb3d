import test from 'ava';
import { parseCompilerInput, parseMetadata } from '#api/read/contracts/parse-input.ts';

test('Yul code that copies bytes is no source code, other Yul is', (t) => {
  const toInput = (statement: string) => ({
    language: 'Yul',
    sources: { 'a.yul': { content: `object "Any" { code {} object "Any_deployed" { code { ${statement} } } }` } },
  });
  t.is(parseCompilerInput(toInput('stop()')).language, 'Yul');
  t.throws(() => parseCompilerInput(toInput('verbatim_0i_0o(hex"6001")')), { message: /verbatim/ });
  t.throws(() => parseCompilerInput(JSON.stringify(toInput('pop(verbatim_1i_1o(hex"60", 1))'))), {
    message: /verbatim/,
  });
});

test('deeply nested settings are refused, because the compiler process could not receive them', (t) => {
  const nested = (levels: number) =>
    `{"language":"Yul","sources":{"a.yul":{"content":""}},"settings":{"x":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
  t.is(parseCompilerInput(nested(90)).language, 'Yul');
  t.throws(() => parseCompilerInput(nested(100_000)), { message: /nested deeper than 100 levels/ });
});

test('libraries of metadata are grouped by path, and limited', (t) => {
  const parse = (libraries: Record<string, string>) =>
    parseMetadata(
      {
        language: 'Solidity',
        compiler: { version: '0.8.20' },
        settings: { compilationTarget: { 'a.sol': 'A' }, libraries },
        sources: { 'a.sol': { content: 'contract A {}' } },
      },
      {},
    ).input.settings;
  t.deepEqual(parse({ 'a.sol:L': '0x1', 'a.sol:M': '0x2', 'b.sol:L': '0x3' }), {
    libraries: { 'a.sol': { L: '0x1', M: '0x2' }, 'b.sol': { L: '0x3' } },
  });
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`a.sol:L${i}`, '0x1']));
  t.throws(() => parse(many), { message: /at most 1000 addresses/ });
});
