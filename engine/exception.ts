export class EngineException extends Error {
  override readonly name = 'EngineException';
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }

  /** The text of a library error begins with `Code: N. DB::Exception: …`. */
  static from(error: unknown): EngineException {
    if (error instanceof EngineException) return error;
    const text = error instanceof Error ? error.message : String(error);
    const code = /^Code: (\d+)\. /.exec(text);
    return new EngineException(code ? Number(code[1]) : 1002, text);
  }

  static of(code: keyof typeof names, detail: string): EngineException {
    return new EngineException(code, `Code: ${code}. DB::Exception: ${detail}. (${names[code]})`);
  }

  /** @source ClickHouse src/Server/HTTP/exceptionCodeToHTTPStatus.cpp */
  get httpStatus(): number {
    return statusByCode.get(this.code) ?? 500;
  }
}

const names = {
  36: 'BAD_ARGUMENTS',
  62: 'SYNTAX_ERROR',
  164: 'READONLY',
  194: 'REQUIRED_PASSWORD',
  202: 'TOO_MANY_SIMULTANEOUS_QUERIES',
  210: 'NETWORK_ERROR',
  373: 'SESSION_IS_LOCKED',
  456: 'UNKNOWN_QUERY_PARAMETER',
  457: 'BAD_QUERY_PARAMETER',
  497: 'ACCESS_DENIED',
  511: 'UNKNOWN_ROLE',
  516: 'AUTHENTICATION_FAILED',
} as const;

const statusByCode = new Map<number, number>([
  ...[6, 26, 27, 36, 38, 41, 42, 43, 44, 53, 62, 69, 70, 72, 130, 131, 386, 457, 456, 47, 46, 115].map(
    (c) => [c, 400] as const,
  ),
  ...[60, 81, 16, 57, 82].map((c) => [c, 404] as const),
  ...[164, 497, 516].map((c) => [c, 403] as const),
  [194, 401],
  [48, 501],
  [202, 503],
  [159, 408],
]);
