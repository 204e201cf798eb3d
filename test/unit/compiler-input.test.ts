import test from 'ava';
import { parseCompilerInput } from '#api/read/contracts/parse-input.ts';

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
