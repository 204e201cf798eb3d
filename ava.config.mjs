// Tests run compiled code: compiling TypeScript while it loads would cost each test file two seconds of CPU.
import { compileTests } from './bin/compiled.mjs';

export default {
  files: ['test/**/*.test.ts'],
  typescript: { rewritePaths: { 'test/': `${await compileTests()}/test/` }, compile: false },
  require: ['./scripts/end-test-worker.mjs'],
  workerThreads: false,
  concurrency: 2,
  timeout: '10m',
};
