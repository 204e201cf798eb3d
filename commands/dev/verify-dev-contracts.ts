import type { ContractVerifier } from '#api/read/contracts/contract-verifier.ts';
import { readSource, type SourceReadDeps } from '#api/read/contracts/read-source.ts';
import type { SnapshotDeps } from '#api/read/reader-deps.ts';
import { readDevInput } from '#devchain/compile-contracts.ts';
import { type DevContract, listDevContracts } from '#devchain/dev-contracts.ts';
import type { Log } from '#runtime/log.ts';
import { pause } from '#runtime/shutdown.ts';
import { isBackfilled } from '#sql/snapshot.ts';

interface DevVerifierDeps extends SourceReadDeps, SnapshotDeps {
  readonly verifier: ContractVerifier;
  readonly log: Log;
}

const pollMs = 500;

/** Lets new users see verified contracts. */
export async function verifyDevContracts(deps: DevVerifierDeps, signal: AbortSignal): Promise<void> {
  const isIndexed = async () => {
    const state = await deps.snapshots.current().catch(() => undefined);
    return state !== undefined && isBackfilled(state);
  };
  while (!signal.aborted && !(await isIndexed())) await pause(pollMs, signal);
  const input = signal.aborted ? undefined : await readDevInput();
  for (const contract of input ? listDevContracts() : []) {
    if (signal.aborted || !input) return;
    await verifyOne(deps, contract, input, signal).catch((error: unknown) => {
      // an error is expected after the signal, because the chain stops at the same time
      if (!signal.aborted)
        deps.log.warn({ event: 'dev_contract_unverified', contract: contract.name, error: String(error) });
    });
  }
}

async function verifyOne(
  deps: DevVerifierDeps,
  { address, path, name }: DevContract,
  all: Awaited<ReturnType<typeof readDevInput>>,
  signal: AbortSignal,
): Promise<void> {
  const { verifier } = deps;
  const input = { ...all, sources: withImports(all.sources, path) };
  const known = await readSource(deps, address);
  if (known && known.similarTo === undefined) return;
  const compilerVersion = verifier.compilers.bundled().version;
  const source = { compilerVersion, input, target: { path, name }, kind: 'standard-json', license: 'MIT' } as const;
  const id = await verifier.submit({ address, ...source }, { caller: 'dev chain' });
  let job = await verifier.job(id);
  while (job?.state === 'pending' && !signal.aborted) {
    await pause(pollMs, signal);
    job = await verifier.job(id);
  }
  if (job?.state === 'failed' && job.errorCode !== 'already_verified') throw new Error(job.message);
}

/** Compilation without other files is faster and gives the same result. */
function withImports(
  sources: Readonly<Record<string, { content: string }>>,
  path: string,
): Record<string, { content: string }> {
  const found: Record<string, { content: string }> = {};
  const add = (file: string) => {
    const source = sources[file];
    if (!source || found[file]) return;
    found[file] = source;
    for (const [, imported = ''] of source.content.matchAll(/^import [^;]*"(?:\.\/)?([\w.]+)";/gm)) add(imported);
  };
  add(path);
  return found;
}
