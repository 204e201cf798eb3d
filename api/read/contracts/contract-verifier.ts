/** Verifies source code: compiles it in a worker process, compares the result with the chain, and stores the source. */
import { randomBytes } from 'node:crypto';
import PQueue from 'p-queue';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import { keccak256Hex } from '#chain/verify/keccak.ts';
import { getLimitedNetwork } from '#runtime/budgets/network.ts';
import { Places } from '#runtime/budgets/places.ts';
import type { Log } from '#runtime/log.ts';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { CompilerError, type CompilerSettings, CompilerStore } from '#verification/compilers/compiler-store.ts';
import { runVerification, type WorkerLimits } from '#verification/run-verification.ts';
import type { CompilerInput, Match, VerificationFailure, VerifiedSource } from '#verification/types.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { Snapshots } from '../chain/snapshot-reader.ts';
import { readCode } from './code.ts';
import { readCreation } from './read-creation.ts';
import type { SignatureDeps } from './signatures/signatures.ts';
import type { InputKind, VerifiedContracts } from './verified-contracts.ts';

export interface VerificationRequest {
  readonly address: string;
  readonly compilerVersion: string;
  readonly input: CompilerInput;
  readonly target: { readonly path: string; readonly name: string };
  readonly kind: InputKind;
  readonly license: string;
}

export interface VerificationJob {
  readonly id: string;
  readonly kind: 'source' | 'proxy';
  readonly address: string;
  readonly state: 'pending' | 'verified' | 'failed';
  /** Machine-readable; empty without failure. */
  readonly errorCode: string;
  /** Result; empty while pending. */
  readonly message: string;
  /** Unix milliseconds. */
  readonly startedMs: number;
  /** End, or last confirmation that a pending job still runs. Unix milliseconds. */
  readonly endedMs: number;
}

export interface VerifierSettings {
  readonly compilers: CompilerSettings;
  readonly limits: WorkerLimits;
  /** Maximum number of running and waiting verifications, in total and per caller. */
  readonly places: { readonly most: number; readonly perCaller: number };
}

interface VerifierDeps extends SignatureDeps {
  readonly database: Database;
  readonly client: RpcClient;
  readonly snapshots: Snapshots;
  readonly log: Log;
  readonly chainId: number;
  readonly verified: VerifiedContracts;
  readonly settings: VerifierSettings;
}

const [startedVersion, endedVersion] = [0, 1];
/** Interval of confirmations of pending jobs, and time without confirmation after which a job has failed, ms. */
const [beatMs, lostAfterMs] = [10_000, 300_000];
const quality: Readonly<Record<string, number>> = { perfect: 2, partial: 1 };

interface VerificationCaller {
  readonly caller: string;
  readonly ip?: string;
}

export class ContractVerifier {
  readonly compilers: CompilerStore;
  readonly #deps: VerifierDeps;
  readonly #places: Places;
  /** One compiler at a time: it uses a CPU core and up to 1 GiB of memory. */
  readonly #queue = new PQueue({ concurrency: 1 });
  /** Pending jobs of this process. */
  readonly #running = new Map<string, VerificationJob>();
  readonly #stop = new AbortController();
  #isUnconfinedLogged = false;
  #beat: NodeJS.Timeout | undefined;

  constructor(deps: VerifierDeps) {
    const { places } = deps.settings;
    this.#deps = deps;
    this.compilers = new CompilerStore(deps.settings.compilers);
    this.#places = new Places(places.most, places.perCaller, Math.max(places.perCaller, Math.floor(places.most / 2)));
  }

  /**
   * @param caller name in rate limits, and IP address; without an address, the service itself
   * @returns job id
   * @throws ApiProblem bad_query if the address has no code, rate_limited if too many verifications wait,
   *   node_unavailable, state_unavailable
   */
  async submit(request: VerificationRequest, { caller, ip }: VerificationCaller): Promise<string> {
    const place = this.#places.take(caller, getLimitedNetwork(ip));
    if (typeof place === 'string')
      throw new ApiProblem('rate_limited', 'too many verifications are running or waiting; try again later');
    const job = newJob('source', request.address);
    const { id } = job;
    try {
      const code = await readCode(this.#deps.client, request.address);
      if (code === '0x') throw new ApiProblem('bad_query', `${request.address} has no code: it is not a contract`);
      this.#running.set(id, job);
      this.#beat ??= setInterval(() => this.#confirm(), beatMs).unref();
      await this.#record(job);
      void this.#queue
        .add(() => this.#run(job, request, code))
        .finally(() => {
          this.#running.delete(job.id);
          place();
        });
      return job.id;
    } catch (error) {
      this.#running.delete(id);
      place();
      throw error;
    }
  }

  /** Records a job that needs no compilation, such as finding a proxy's implementation. @returns job id */
  async recordEnded(
    kind: VerificationJob['kind'],
    address: string,
    end: Pick<VerificationJob, 'state' | 'errorCode' | 'message'>,
  ) {
    const job = { ...newJob(kind, address), ...end };
    await this.#record(job);
    return job.id;
  }

  /**
   * Returns undefined for an unknown id. A pending job without confirmations counts as failed, because its process must
   * have stopped.
   */
  async job(id: string): Promise<VerificationJob | undefined> {
    const running = this.#running.get(id);
    if (running) return running;
    if (!/^[0-9a-f]{32}$/.test(id)) return undefined;
    const [row] = await this.#deps.database.read('verification_job', { id });
    if (!row) return undefined;
    const job: VerificationJob = {
      id,
      kind: row.kind === 'proxy' ? 'proxy' : 'source',
      address: `0x${row.address_hex}`,
      state: row.state as VerificationJob['state'],
      errorCode: row.error_code,
      message: row.message,
      startedMs: Number(row.started_ms),
      endedMs: Number(row.ended_ms),
    };
    const isLost = job.state === 'pending' && Date.now() - job.endedMs > lostAfterMs;
    return isLost ? { ...job, ...interrupted } : job;
  }

  /** Stops the compiler, and records pending jobs as interrupted. */
  async close(): Promise<void> {
    const jobs = [...this.#running.values()];
    clearInterval(this.#beat);
    this.#queue.clear();
    this.#stop.abort();
    await Promise.allSettled(jobs.map((job) => this.#record({ ...job, ...interrupted, endedMs: Date.now() })));
    await this.#queue.onIdle();
  }

  /** Stores that the jobs still run, for other processes and in case this one crashes. */
  #confirm(): void {
    if (this.#running.size === 0) {
      clearInterval(this.#beat);
      this.#beat = undefined;
    }
    for (const job of this.#running.values())
      this.#record({ ...job, endedMs: Date.now() }).catch((error: unknown) =>
        this.#deps.log.warn({ event: 'verification_unconfirmed', id: job.id, error: String(error) }),
      );
  }

  async #run(job: VerificationJob, request: VerificationRequest, code: string): Promise<void> {
    const end = await this.#verify(request, code).catch((error: unknown) => this.#explain(job, error));
    await this.#record({ ...job, ...end, endedMs: Date.now() }).catch((error: unknown) =>
      this.#deps.log.error({ event: 'verification_unrecorded', id: job.id, error: String(error) }),
    );
  }

  async #verify(request: VerificationRequest, runtimeCode: string): Promise<JobEnd> {
    const { client, chainId, settings, signatures, verified } = this.#deps;
    const { address, input, target, kind, license } = request;
    const [compiler, creation] = await Promise.all([
      this.compilers.find(request.compilerVersion),
      readCreation(this.#deps, address),
    ]);
    const result = await runVerification(
      {
        chainId,
        address,
        runtimeCode,
        creation,
        input,
        target,
        compilerPath: compiler.path,
        compilerVersion: compiler.version,
      },
      settings.limits,
      { signal: this.#stop.signal, onUnconfined: this.#warnUnconfined },
    );
    if ('failure' in result) return failed(result.failure);
    if ((await readCode(client, address)) !== runtimeCode)
      return failed({ code: 'code_changed', message: 'the code of the contract changed during the verification' });
    const better = await this.#isBetter(address, keccak256Hex(runtimeCode), result.verified);
    if (!better)
      return failed({
        code: 'already_verified',
        message: 'the contract is already verified with an equal or better match',
      });
    await verified.store(address, runtimeCode, result.verified, { kind, license });
    await signatures
      .learnAbi(result.verified.abi, address)
      .catch((error: unknown) =>
        this.#deps.log.warn(
          { event: 'signatures_unlearned', address, error: String(error) },
          'cannot store the function signatures of a verified contract',
        ),
      );
    const best = bestMatch(result.verified);
    return { state: 'verified', errorCode: '', message: `verified: ${best === 'perfect' ? 'exact' : 'partial'} match` };
  }

  readonly #warnUnconfined = (reason: string) => {
    if (this.#isUnconfinedLogged) return;
    this.#isUnconfinedLogged = true;
    const text = 'the compiler runs without Landlock confinement: only its time and memory are limited';
    this.#deps.log.warn({ event: 'compiler_unconfined', reason }, text);
  };

  async #isBetter(address: string, codeHash: string, found: VerifiedSource): Promise<boolean> {
    const stored = await this.#deps.verified.find(address);
    if (!stored || stored.codeHash !== codeHash) return true;
    const rank = (match: Match) => quality[match ?? ''] ?? 0;
    const [before, now] = [stored, found].map((one) => 3 * rank(one.runtimeMatch) + rank(one.creationMatch));
    return (now ?? 0) > (before ?? 0);
  }

  #explain(job: VerificationJob, error: unknown): JobEnd {
    if (this.#stop.signal.aborted) return interrupted;
    if (error instanceof CompilerError) {
      if (error.code === 'compiler_unavailable')
        this.#deps.log.warn({ event: 'compiler_unavailable', error: String(error.cause ?? error) }, error.message);
      return failed({ code: error.code, message: error.message });
    }
    if (error instanceof ApiProblem) return failed({ code: error.code, message: error.detail });
    this.#deps.log.error({ event: 'verification_failed', id: job.id, address: job.address, error: String(error) });
    return failed({
      code: 'internal_error',
      message: 'the verification failed because of an internal error; try again',
    });
  }

  async #record(job: VerificationJob): Promise<void> {
    const w = new RowWriter(1_024);
    w.text(job.id);
    w.uint8(job.state === 'pending' ? startedVersion : endedVersion);
    w.text(job.kind);
    w.fixed(job.address, 20);
    for (const text of [job.state, job.errorCode, job.message]) w.text(text);
    w.uint64(job.startedMs);
    w.uint64(job.endedMs);
    await this.#deps.database.insertRowBinary('verification_jobs', w.view());
  }
}

type JobEnd = Pick<VerificationJob, 'state' | 'errorCode' | 'message'>;

/** Returns the better of runtime and creation match, like Sourcify. */
export const bestMatch = ({ runtimeMatch, creationMatch }: { runtimeMatch: Match; creationMatch: Match }): Match =>
  runtimeMatch === 'perfect' || creationMatch === 'perfect' ? 'perfect' : (runtimeMatch ?? creationMatch);

const failed = ({ code, message }: VerificationFailure): JobEnd => ({ state: 'failed', errorCode: code, message });

const interrupted = failed({
  code: 'interrupted',
  message: 'the service stopped during the verification; send the request again',
});

function newJob(kind: VerificationJob['kind'], address: string): VerificationJob {
  const now = Date.now();
  const id = randomBytes(16).toString('hex');
  return {
    id,
    kind,
    address: address.toLowerCase(),
    state: 'pending',
    errorCode: '',
    message: '',
    startedMs: now,
    endedMs: now,
  };
}
