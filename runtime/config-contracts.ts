import { z } from 'zod';
import { blank, count, httpUrl } from './config-fields.ts';

const url = (description: string) =>
  z.preprocess(blank, httpUrl.transform((text) => text.replace(/\/+$/, '')).optional()).describe(description);

export const contractFields = {
  COMPILERS_DIR: z
    .preprocess(blank, z.string().optional())
    .describe('Directory with Solidity compilers (soljson-*.js) and their list.json; unset: only the bundled compiler'),
  COMPILERS_URL: url(
    'URL of a directory with Solidity compilers and their list.json, for example the emscripten-wasm32 directory of solc-bin; the SHA-256 of downloads is checked; unset: no downloads',
  ),
  SIGNATURES_URL: url(
    'Base URL of a server that names unknown function selectors (interface of openchain.xyz, for example https://api.4byte.sourcify.dev); unset: none',
  ),
  SOURCIFY_URL: url(
    'Base URL of a Sourcify server, for example https://sourcify.dev/server, to import source code of viewed contracts if it compiles to their code; unset: none',
  ),
  COMPILER_TIMEOUT_SECONDS: count(60, 'Maximum time to verify source code, seconds', 1, 3_600),
  COMPILER_MEMORY_MB: count(1_024, 'Maximum memory of the compiler, MiB', 128, 4_096),
  VERIFICATIONS_AT_ONCE: count(
    50,
    'Maximum number of running and waiting source code verifications; one caller may have a fifth of them',
    1,
    10_000,
  ),
};
