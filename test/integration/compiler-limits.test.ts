/** Bounds of the process that compiles source code of strangers. */
import test from 'ava';
import { CompilerStore } from '#verification/compilers/compiler-store.ts';
import { runVerification } from '#verification/run-verification.ts';

const compiler = new CompilerStore({ dir: undefined, url: undefined, downloadsDir: '', timeoutMs: 1_000 }).bundled();

test('a compilation that takes too long or too much memory ends, and its process with it', async (t) => {
  const question = {
    chainId: 1,
    address: `0x${'12'.repeat(20)}`,
    runtimeCode: '0x60',
    creation: undefined,
    compilerPath: compiler.path,
    compilerVersion: compiler.version,
    target: { path: 'a.sol', name: 'A' },
  };
  // each constant has the double length of the one before
  const doubling = Array.from({ length: 40 }, (_, i) => `string constant s${i + 1} = string.concat(s${i}, s${i});`);
  const huge = `contract A { string constant s0 = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"; ${doubling.join(' ')}
    function f() external pure returns (string memory) { return s40; } }`;
  const deep = `contract A { uint x = ${'('.repeat(20_000)}1${')'.repeat(20_000)}; }`;
  for (const content of [huge, deep]) {
    const hostile = { language: 'Solidity' as const, sources: { 'a.sol': { content } }, settings: { viaIR: true } };
    const result = await runVerification({ ...question, input: hostile }, { timeoutMs: 8_000, memoryMib: 256 });
    t.true('failure' in result, JSON.stringify(result).slice(0, 200));
    t.log(JSON.stringify(result).slice(0, 120));
  }
  const files = { 'a.sol': { content: 'import "/etc/passwd"; contract A {}' } };
  const reading = { language: 'Solidity' as const, sources: files, settings: {} };
  const read = await runVerification({ ...question, input: reading }, { timeoutMs: 20_000, memoryMib: 512 });
  t.true('failure' in read && read.failure.code === 'compiler_error', 'a source reads no file of the machine');
});
