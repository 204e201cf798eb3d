import test from 'ava';
import { AbiCoder, type ParamType, ParamType as Type } from 'ethers';
import fc from 'fast-check';
import { decodeData, decodeTopic } from '#api/read/sql/decode-abi.ts';
import type { Database } from '#sql/client.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { startTestEngine, type TestEngine } from '#test/helpers/service.ts';

let engine: TestEngine;
let database: Database;

test.before(async () => {
  engine = await startTestEngine();
  database = await engine.open('decoded');
});

test.after.always(() => engine?.stop());

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array) => `0x${Buffer.from(array).toString('hex')}`);

const elementary: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  address: hex(20),
  bool: fc.boolean(),
  uint256: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  uint8: fc.bigInt({ min: 0n, max: 255n }),
  int128: fc.bigInt({ min: -(2n ** 127n), max: 2n ** 127n - 1n }),
  bytes4: hex(4),
  bytes32: hex(32),
  string: fc.string({ unit: 'grapheme', maxLength: 40 }),
  bytes: fc.integer({ min: 0, max: 70 }).chain(hex),
};

interface Case {
  readonly type: string;
  readonly value: unknown;
}

const leaf: fc.Arbitrary<Case> = fc
  .constantFrom(...Object.keys(elementary))
  .chain((type) => elementary[type]!.map((value) => ({ type, value })));

/** Array elements differ, so that wrong offsets are detected. */
function vary(value: unknown, by: number): unknown {
  if (Array.isArray(value)) return value.map((one) => vary(one, by));
  if (typeof value === 'bigint') return value > 200n ? value - BigInt(by) : value;
  if (typeof value === 'boolean') return by % 2 === 0 ? value : !value;
  const text = String(value);
  return /^0x[0-9a-f]+$/.test(text) ? `${text.slice(0, -1)}${by}` : text;
}

/** A type with a value, with at most two levels of arrays and structs. */
const { any } = fc.letrec<{ any: Case; array: Case; struct: Case }>((tie) => ({
  any: fc.oneof({ maxDepth: 2, depthSize: 'small' }, leaf, tie('array'), tie('struct')),
  array: fc
    .tuple(tie('any'), fc.integer({ min: 0, max: 3 }), fc.boolean())
    .map(([{ type, value }, length, isFixed]) => ({
      type: `${type}[${isFixed ? length + 1 : ''}]`,
      value: Array.from({ length: isFixed ? length + 1 : length }, (_, i) => vary(value, i)),
    })),
  struct: fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((parts) => ({
    type: `tuple(${parts.map(({ type }) => type).join(',')})`,
    value: parts.map(({ value }) => value),
  })),
}));

/** The value as a page shows it: elementary values inside structures are texts. */
function shown({ arrayChildren, components, type }: ParamType, value: unknown, isInner = false): unknown {
  if (arrayChildren) return (value as unknown[]).map((one) => shown(arrayChildren, one, true));
  if (components) return (value as unknown[]).map((one, i) => shown(components[i]!, one, true));
  return type === 'bool' && !isInner ? value : String(value);
}

async function read(expressions: readonly string[], source: string): Promise<unknown[]> {
  const columns = expressions.map((expression, i) => `${expression} AS v${i}`);
  const sql = `SELECT ${columns.join(', ')} FROM (SELECT ${source})`;
  const [row] = await database.read<Record<string, unknown>>({ ...resolveStatement('chain_state'), sql });
  return expressions.map((_, i) => row![`v${i}`]);
}

const asText = ({ type }: ParamType, expression: string) =>
  /^(address|bytes20|bytes32)$/.test(type) ? `concat('0x', lower(hex(${expression})))` : expression;

const parsed = ({ arrayChildren, components }: ParamType, value: unknown) =>
  arrayChildren || components ? JSON.parse(value as string) : value;

test('data of logs is decoded as it was encoded', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(any, { minLength: 1, maxLength: 4 }), async (cases) => {
      const params = cases.map(({ type }) => Type.from(type));
      const data = AbiCoder.defaultAbiCoder().encode(
        params,
        cases.map(({ value }) => value),
      );
      const expressions = params.map((param, i) => asText(param, decodeData(params, i, 'data')!));
      const values = await read(expressions, `unhex('${data.slice(2)}') AS data`);
      t.deepEqual(
        values.map((value, i) => parsed(params[i]!, value)),
        cases.map(({ value }, i) => shown(params[i]!, value)),
        params.map((param) => param.format()).join(),
      );
    }),
    { numRuns: 80 },
  );
});

test('topics are decoded, and data that is too short does no harm', async (t) => {
  for (const type of ['address', 'bool', 'uint256', 'int128', 'bytes4']) {
    const param = Type.from(type);
    const [value] = fc.sample(elementary[type]!, { numRuns: 1, seed: 7 });
    const topic = AbiCoder.defaultAbiCoder().encode([param], [value]).slice(2);
    const values = await read([asText(param, decodeTopic(param, 'topic'))], `unhex('${topic}') AS topic`);
    t.deepEqual(parsed(param, values[0]), shown(param, value), type);
  }
  const params = ['string', 'uint256[]', 'tuple(bytes,address)', 'address'].map((type) => Type.from(type));
  const expressions = params.map((param, i) => asText(param, decodeData(params, i, 'data')!));
  for (const data of ['', 'ff', 'ff'.repeat(128), '00'.repeat(31)])
    t.is((await read(expressions, `unhex('${data}') AS data`)).length, 4, data);
});
