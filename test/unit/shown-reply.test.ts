import test from 'ava';
import { compareReply } from '#test/helpers/shown-reply.ts';

const real =
  '{"verdict":"wait","hash":"0xab12","items":[{"value":"12","at":null},{"value":"3","at":7}],"index":{"head":5}}';

test('a shown reply passes with other values, omitted fields and shortened text', (t) => {
  for (const shown of [
    real,
    '{"verdict":"wait","hash":"0xcd…","items":[{"value":"99","at":1},…],…}',
    '{…,"index":{"head":1}}',
  ])
    t.deepEqual(compareReply('json', shown, real), [], shown);
  t.deepEqual(compareReply('csv', '"a","b"\n1,2\n…', '"a","b"\r\n7,8\r\n'), []);
  t.deepEqual(
    compareReply(
      'text',
      '{"time":17,"event":"credited","hash":"0x…"}',
      'x\n{"time":9,"event":"credited","hash":"0xab"}',
    ),
    [],
  );
});

test('a shown reply fails with missing, renamed or omitted fields, other types and constants', (t) => {
  const cases: readonly (readonly [shown: string, difference: string])[] = [
    ['{"verdict":"wait"}', '$.hash: the docs omit it without …'],
    ['{"state":"wait",…}', '$.state: the reply lacks it'],
    ['{"verdict":"creditable",…}', '$.verdict: the docs show "creditable", the reply has "wait"'],
    ['{"hash":"12",…}', '$.hash: the docs show a decimal string, the reply has hex'],
    ['{"index":{"head":"5"},…}', '$.index.head: the docs show a decimal string, the reply has a number'],
    ['{"items":[{"value":"1","at":"x y"}],…}', '$.items[0].at: the docs show text, the reply has null'],
  ];
  for (const [shown, difference] of cases) t.true(compareReply('json', shown, real).includes(difference), shown);
  t.is(compareReply('csv', 'a,b', 'a,c').length, 1);
  t.is(compareReply('text', '{"event":"credited"}', '{"event":"rejected"}').length, 1);
});
