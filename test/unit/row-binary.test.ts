import test from 'ava';
import { readRowBinary } from '#sql/row-binary.ts';

const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);

test('rows that end in the middle are an error, never shorter values', (t) => {
  const head = Buffer.concat([Buffer.from([2]), text('a'), text('b'), text('FixedString(4)'), text('UInt8')]);
  const row = Buffer.from('deadbeef07', 'hex');
  t.deepEqual(readRowBinary(Buffer.concat([head, row, row])), [
    { a: '0xdeadbeef', b: 7 },
    { a: '0xdeadbeef', b: 7 },
  ]);
  for (let cut = 1; cut < row.length; cut++)
    t.throws(() => readRowBinary(Buffer.concat([head, row, row.subarray(0, cut)])), {
      message: /ends in the middle of a row/,
    });
});
