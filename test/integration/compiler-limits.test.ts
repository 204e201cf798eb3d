/** Limits of the process that compiles untrusted source code. */
import { createRequire } from 'node:module';
import test from 'ava';
import { CompilerStore } from '#verification/compilers/compiler-store.ts';
import { runVerification } from '#verification/run-verification.ts';

const compiler = new CompilerStore({ dir: undefined, url: undefined, downloadsDir: '', timeoutMs: 1_000 }).bundled();

test.serial('a compilation that takes too long or too much memory ends, and its process with it', async (t) => {
  const asked = {
    chainId: 1,
    address: `0x${'12'.repeat(20)}`,
    runtimeCode: '0x60',
    creation: undefined,
    compilerPath: compiler.path,
    compilerVersion: compiler.version,
    target: { path: 'a.sol', name: 'A' },
  };
  // each constant is twice as long as the previous one
  const doubling = Array.from({ length: 40 }, (_, i) => `string constant s${i + 1} = string.concat(s${i}, s${i});`);
  const huge = `contract A { string constant s0 = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"; ${doubling.join(' ')}
    function f() external pure returns (string memory) { return s40; } }`;
  const deep = `contract A { uint x = ${'('.repeat(20_000)}1${')'.repeat(20_000)}; }`;
  for (const content of [huge, deep]) {
    const hostile = { language: 'Solidity' as const, sources: { 'a.sol': { content } }, settings: { viaIR: true } };
    const result = await runVerification({ ...asked, input: hostile }, { timeoutMs: 8_000, memoryMib: 256 });
    t.true('failure' in result, JSON.stringify(result).slice(0, 200));
    t.log(JSON.stringify(result).slice(0, 120));
  }
  const files = { 'a.sol': { content: 'import "/etc/passwd"; contract A {}' } };
  const reading = { language: 'Solidity' as const, sources: files, settings: {} };
  const read = await runVerification({ ...asked, input: reading }, limits);
  t.true('failure' in read && read.failure.code === 'compiler_error', 'a source reads no file of the machine');
});

const question = (content: string, runtimeCode: string, initCode: string) => ({
  chainId: 1,
  address: `0x${'12'.repeat(20)}`,
  runtimeCode,
  creation: { transactionHash: `0x${'34'.repeat(32)}`, deployer: `0x${'56'.repeat(20)}`, blockNumber: 1, initCode },
  compilerPath: compiler.path,
  compilerVersion: compiler.version,
  target: { path: 'a.sol', name: 'A' },
  input: { language: 'Solidity' as const, sources: { 'a.sol': { content } }, settings: {} },
});
const limits = { timeoutMs: 120_000, memoryMib: 512 };

function compile(content: string): { creation: string; runtime: string } {
  const solc = createRequire(import.meta.url)('solc') as { compile(text: string): string };
  const outputSelection = { '*': { '*': ['evm.bytecode.object', 'evm.deployedBytecode.object'] } };
  const sources = { 'a.sol': { content } };
  const output = JSON.parse(
    solc.compile(JSON.stringify({ language: 'Solidity', sources, settings: { outputSelection } })),
  );
  const { bytecode, deployedBytecode } = output.contracts['a.sol'].A.evm;
  return { creation: `0x${bytecode.object}`, runtime: `0x${deployedBytecode.object}` };
}

test.serial('a source whose constructor returns the code of another contract does not match it', async (t) => {
  const victim = compile('contract A { function steal() external pure returns (uint256) { return 1; } }').runtime;
  const body = 'function safe() external pure returns (uint256) { return 2; }';
  const source = `contract A { ${body} constructor() { bytes memory c = hex"${victim.slice(2)}"; assembly { return(add(c, 32), mload(c)) } } }`;
  const { creation, runtime } = compile(source);
  const result = await runVerification(question(source, victim, creation), limits);
  t.true('failure' in result, JSON.stringify(result).slice(0, 300));
  const honest = await runVerification(question(source, runtime, creation), limits);
  t.like(honest, { verified: { runtimeMatch: 'perfect' } }, 'the same source matches its own code');
});

test.serial('a library matches only if the chain has its own address where it checks it', async (t) => {
  const source = 'library A { function one() external pure returns (uint256) { return 1; } }';
  const { creation, runtime } = compile(source);
  const rest = runtime.slice(44);
  const start = (bytes: string) => runVerification(question(source, `0x${bytes}${rest}`, creation), limits);
  // 21 bytes of code: a proxy to the address in storage slot 0
  const proxy = '363d3d373d3d363d3d545af45f3d5f5f3e3d5ff300';
  for (const foreign of [proxy, `73${'ab'.repeat(20)}`, `72${'12'.repeat(20)}`])
    t.like(await start(foreign), { failure: { code: 'no_match' } }, foreign);
  for (const own of [`73${'12'.repeat(20)}`, `73${'00'.repeat(20)}`])
    t.like(await start(own), { verified: { runtimeMatch: 'perfect' } }, own);
});

test.serial('a contract matches only if each library and each immutable has one value in its code', async (t) => {
  const library = 'library L { function f() external pure returns (uint256) { return 1; } }';
  const source = `${library} contract A {
    uint256 immutable limit = 7;
    function a() external pure returns (uint256) { return L.f(); }
    function b() external pure returns (uint256) { return L.f() + 1; }
    function c() external view returns (uint256) { return limit; }
    function d(uint256 x) external view returns (bool) { return x < limit; }
  }`;
  const { creation, runtime } = compile(source);
  const link = (code: string, [first, others]: readonly [string, string]) =>
    code.replace(/__\$\w+\$__/, first).replaceAll(/__\$\w+\$__/g, others);
  const [evil, good] = ['ee'.repeat(20), '11'.repeat(20)];
  const limit = (value: number) => `7f${value.toString(16).padStart(64, '0')}`;
  const deployed = (linked: readonly [string, string], values: readonly [number, number]) =>
    link(runtime, linked).replace(limit(0), limit(values[0])).replace(limit(0), limit(values[1]));
  const verify = (code: string, made: readonly [string, string]) =>
    runVerification(question(source, code, link(creation, made)), limits);
  t.like(await verify(deployed([good, good], [7, 7]), [good, good]), {
    verified: { runtimeMatch: 'perfect', creationMatch: 'perfect', libraries: { 'a.sol:L': `0x${good}` } },
  });
  for (const [code, made, message] of [
    [deployed([evil, good], [7, 7]), [evil, good], 'the code has several values of the library a.sol:L'],
    [deployed([good, good], [7, 7]), [evil, evil], 'the creation code has another address of the library a.sol:L'],
    [deployed([good, good], [7, 7]), [evil, good], 'the code has several values of the library a.sol:L'],
  ] as const)
    t.like(await verify(code, made), { failure: { code: 'no_match', message } });
  const mixed = await verify(deployed([good, good], [0, 9]), [good, good]);
  t.regex(
    'failure' in mixed ? mixed.failure.message : 'verified',
    /^the code has several values of the immutable \d+$/,
  );
});

test.serial('a short source with a huge ABI is rejected', async (t) => {
  const events = Array.from({ length: 5_000 }, (_, i) => `event e${i}();`).join(' ');
  const source = `contract A { ${events} }`;
  const { creation, runtime } = compile(source);
  t.like(await runVerification(question(source, runtime, creation), limits), { failure: { code: 'result_too_large' } });
});

test.serial('the version of the bundled compiler is that of its package', (t) => {
  const { version } = createRequire(import.meta.url)('solc') as { version(): string };
  t.is(compiler.version, version().replace(/\.Emscripten.*$/, ''));
});
