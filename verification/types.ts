/** Input and result of a verification. */

/** Standard JSON input. @source https://docs.soliditylang.org, "Compiler Input and Output JSON Description" */
export interface CompilerInput {
  readonly language: 'Solidity' | 'Yul';
  readonly sources: Readonly<Record<string, { readonly content: string }>>;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface ContractCreation {
  readonly transactionHash: string;
  readonly deployer: string;
  readonly blockNumber: number;
  /** Init code, 0x hex: creation code, then encoded constructor arguments. */
  readonly initCode: string;
}

export interface VerificationQuestion {
  readonly chainId: number;
  readonly address: string;
  /** Code on the chain, 0x hex. */
  readonly runtimeCode: string;
  /** Undefined if no indexed transaction created the contract, for example because another contract did. */
  readonly creation: ContractCreation | undefined;
  /** A soljson build. */
  readonly compilerPath: string;
  /** Long version, such as 0.8.37+commit.6f28cc1a, without a leading v. */
  readonly compilerVersion: string;
  readonly input: CompilerInput;
  readonly target: { readonly path: string; readonly name: string };
}

/** Question to the verification process. */
export interface LimitedQuestion extends VerificationQuestion {
  /** Maximum time of the process, ms. */
  readonly timeoutMs: number;
}

/**
 * - `perfect`: the code and its metadata hash are equal, so the sources are identical to the byte.
 * - `partial`: the code is equal, but its metadata hash differs or is missing.
 * - null: no match, or not compared.
 * @source https://docs.sourcify.dev/docs/exact-match-vs-match
 */
export type Match = 'perfect' | 'partial' | null;

/** A part of the code that the sources don't determine. @source https://docs.sourcify.dev, "Transformations" */
export interface Transformation {
  readonly type: 'insert' | 'replace' | 'delete';
  readonly reason: 'constructorArguments' | 'library' | 'immutable' | 'cborAuxdata' | 'callProtection';
  /** First byte of the part. */
  readonly offset: number;
  /** Key of the part's value in the transformation values. */
  readonly id?: string;
}

export interface Transformations {
  readonly list: readonly Transformation[];
  /** Values of the parts, 0x hex, by id. Constructor arguments and call protection have no id. */
  readonly values: {
    readonly constructorArguments?: string;
    readonly callProtection?: string;
    readonly libraries?: Readonly<Record<string, string>>;
    readonly immutables?: Readonly<Record<string, string>>;
    readonly cborAuxdata?: Readonly<Record<string, string>>;
  };
}

/** Verified contract. ABI, docs, storage layout and metadata are unchanged compiler output. */
export interface VerifiedSource {
  readonly runtimeMatch: Match;
  readonly creationMatch: Match;
  readonly runtimeTransformations: Transformations;
  readonly creationTransformations: Transformations;
  /** Byte ranges [offset, length] of runtime code that the sources don't determine, such as immutables. */
  readonly openRanges: readonly (readonly [number, number])[];
  readonly language: string;
  readonly compilerVersion: string;
  readonly name: string;
  readonly path: string;
  readonly sources: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly abi: readonly unknown[];
  readonly userdoc: unknown;
  readonly devdoc: unknown;
  readonly storageLayout: unknown;
  readonly metadata: unknown;
  /** Compiled runtime code before libraries are linked and immutables are set, 0x hex. */
  readonly compiledRuntimeCode: string;
  readonly compiledCreationCode: string;
  /** Encoded constructor arguments, hex without 0x; empty if there are none or they are unknown. */
  readonly constructorArguments: string;
  /** Address of each linked library, by its fully qualified name. */
  readonly libraries: Readonly<Record<string, string>>;
}

/** A code for programs and a sentence for people. */
export interface VerificationFailure {
  readonly code: string;
  readonly message: string;
}

export type VerificationResult = { readonly verified: VerifiedSource } | { readonly failure: VerificationFailure };
