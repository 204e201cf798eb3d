import { z } from 'zod';
import { blank, count, httpUrl } from './config-fields.ts';

const url = (description: string) =>
  z.preprocess(blank, httpUrl.transform((text) => text.replace(/\/+$/, '')).optional()).describe(description);

export const contractFields = {
  COMPILERS_DIR: z
    .preprocess(blank, z.string().optional())
    .describe(
      'Directory with builds of the Solidity compiler (soljson-*.js) and their list.json; unset: only the bundled compiler',
    ),
  COMPILERS_URL: url(
    'URL of a directory with builds of the Solidity compiler and their list.json, for example the emscripten-wasm32 directory of solc-bin; downloads are checked by SHA-256; unset: no downloads',
  ),
  SIGNATURES_URL: url(
    'Base URL of a signature server (interface of openchain.xyz, for example https://api.4byte.sourcify.dev) that names functions without a known signature; unset: no server',
  ),
  SOURCIFY_URL: url(
    'Base URL of a Sourcify instance (for example https://sourcify.dev/server) whose source code is imported for contracts that users look at, if it compiles to their code; unset: none',
  ),
  COMPILER_TIMEOUT_SECONDS: count(60, 'Maximum time of a verification of source code, seconds', 1, 3_600),
  COMPILER_MEMORY_MB: count(1_024, 'Maximum memory of the compiler, MiB', 128, 4_096),
  VERIFICATIONS_AT_ONCE: count(
    50,
    'Maximum number of verifications of source code that run or wait; one caller may have a fifth of them',
    1,
    10_000,
  ),
};
