import { CordscanError, readError } from './errors.ts';
import type { Call } from './operations.ts';

export interface ClientOptions {
  /** API key, sent as `X-API-Key`. */
  readonly apiKey?: string;
  /** Access token of a sign-in, sent as `Authorization: Bearer`. */
  readonly accessToken?: string;
  /** Maximum retries after temporary errors. Default: 5. */
  readonly retries?: number;
  /**
   * Timeout of an attempt, ms; for streams, of their headers only. Exports wait at least 300,000 ms. Default: 30,000.
   */
  readonly timeoutMs?: number;
  /** Default: the global fetch. */
  readonly fetch?: typeof fetch;
}

interface LongReply {
  readonly headers: Headers;
  readonly texts: AsyncGenerator<string>;
  /** Closes a reply whose text is not read. */
  readonly cancel: () => Promise<void>;
}

const firstDelayMs = 200;
const maxDelayMs = 10_000;
/** Maximum delay from a Retry-After header, ms. */
const maxServerDelayMs = 60_000;

export class Requests {
  readonly #origin: URL;
  readonly #options: ClientOptions;

  /**
   * @param origin URL of the service, with or without a path, for example https://explorer.example
   * @throws TypeError if the URL is invalid, or has a user name or password
   */
  constructor(origin: string, options: ClientOptions) {
    this.#origin = new URL(origin.endsWith('/') ? origin : `${origin}/`);
    // fetch() rejects them too, but its error contains the password
    if (this.#origin.username !== '' || this.#origin.password !== '')
      throw new TypeError('the URL of the service must not have a user name or a password: set apiKey or accessToken');
    this.#options = options;
  }

  get timeoutMs(): number {
    return this.#options.timeoutMs ?? 30_000;
  }

  get retries(): number {
    return this.#options.retries ?? 5;
  }

  /**
   * Returns the JSON reply. Retries reads after 429, 5xx and lost connections. Retries other methods only after errors
   * that guarantee no effect: 429, and 503 with the code `indexing`.
   */
  async json(method: string, path: string, call: Call): Promise<unknown> {
    const url = toUrl(this.#origin, path, call);
    return this.#repeated(call, method === 'GET', async (signal) => {
      const reply = await this.#send(method, url, call, signal);
      const text = await reply.text();
      return text === '' ? undefined : JSON.parse(text);
    });
  }

  /**
   * Opens a long reply, with retries until its headers arrive. Ending the iteration closes the connection.
   * @param silenceMs maximum time without data, ms; then the iteration throws
   */
  async open(path: string, call: Call, silenceMs: number): Promise<LongReply> {
    const url = toUrl(this.#origin, path, call);
    const reply = await this.#repeated(call, true, async (signal, arrived) => {
      const opened = await this.#send('GET', url, call, signal);
      arrived();
      return opened;
    });
    const cancel = async () => reply.body?.cancel();
    return { headers: reply.headers, texts: readText(reply, silenceMs, call.signal), cancel };
  }

  async #send(method: string, url: URL, call: Call, signal: AbortSignal): Promise<Response> {
    const { apiKey, accessToken, fetch: send = fetch } = this.#options;
    const headers: Record<string, string> = { ...call.headers };
    if (apiKey !== undefined) headers['X-API-Key'] = apiKey;
    if (accessToken !== undefined) headers['Authorization'] = `Bearer ${accessToken}`;
    if (call.body !== undefined) headers['Content-Type'] = 'application/json';
    const body = call.body === undefined ? null : JSON.stringify(call.body);
    const reply = await send(url, { method, headers, body, signal, redirect: 'error' });
    if (reply.ok) return reply;
    throw Object.assign(await readError(reply), { retryAfter: reply.headers.get('Retry-After') });
  }

  async #repeated<T>(
    { signal: given, timeoutMs = this.timeoutMs, idempotent = false }: Call,
    isRead: boolean,
    attempt: (signal: AbortSignal, arrived: () => void) => Promise<T>,
  ): Promise<T> {
    for (let failures = 0; ; failures++) {
      const limit = new AbortController();
      const stop = () => limit.abort(given?.reason); // AbortSignal.any loses timeouts in Node 20 (nodejs/node#57736)
      const timer = setTimeout(() => limit.abort(new Error('the service sent no reply in time')), timeoutMs);
      given?.addEventListener('abort', stop);
      if (given?.aborted) stop();
      try {
        return await attempt(limit.signal, () => clearTimeout(timer));
      } catch (error) {
        if (given?.aborted || failures >= this.retries || !mayRepeat(isRead || idempotent, error)) throw error;
        await delay(waitMs(failures, error), given);
      } finally {
        clearTimeout(timer);
        given?.removeEventListener('abort', stop);
      }
    }
  }
}

/**
 * Cancels the reply when the signal fires. Otherwise, in Node 20, a read never ends if the signal fires between the
 * last byte and the read that reports the end.
 */
async function* readText(reply: Response, silenceMs: number, signal: AbortSignal | undefined): AsyncGenerator<string> {
  const reader = reply.body?.getReader();
  const decoder = new TextDecoder();
  let silence: Error | undefined;
  const cancel = () => void reader?.cancel().catch(() => undefined);
  const endSilence = () => {
    silence = new Error(`the service sent no data for ${silenceMs} ms`);
    cancel();
  };
  signal?.addEventListener('abort', cancel);
  try {
    while (reader) {
      signal?.throwIfAborted();
      const timer = setTimeout(endSilence, silenceMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      signal?.throwIfAborted();
      if (silence) throw silence;
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    signal?.removeEventListener('abort', cancel);
    cancel();
  }
}

function toUrl(origin: URL, path: string, { path: values = {}, query = {} }: Call): URL {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = (values as Record<string, unknown>)[name];
    if (value === undefined) throw new TypeError(`${path}: the path parameter ${name} is missing`);
    // an empty or dot segment would name another path
    if (/^\.{0,2}$/.test(String(value))) throw new TypeError(`${path}: the path parameter ${name} is "${value}"`);
    return encodeURIComponent(String(value));
  });
  const url = new URL(filled.slice(1), origin);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  return url;
}

/** Codes of errors after which the request had no effect. */
const undone: ReadonlySet<string> = new Set(['indexing']);

type SentError = CordscanError & { readonly retryAfter?: string | null };

function mayRepeat(isIdempotent: boolean, error: unknown): boolean {
  if (!(error instanceof CordscanError)) return isIdempotent && !(error instanceof SyntaxError);
  return error.status === 429 || undone.has(error.code) || (isIdempotent && error.isTemporary);
}

/**
 * Returns the delay before a retry, ms: from Retry-After, otherwise doubled per failure and randomly shortened.
 * @source RFC 9110, 10.2.3
 */
function waitMs(failures: number, error: unknown): number {
  const asked = Number((error as Partial<SentError>).retryAfter ?? Number.NaN) * 1_000;
  if (asked > 0) return Math.min(asked, maxServerDelayMs);
  return Math.min(firstDelayMs * 2 ** failures, maxDelayMs) * (0.5 + Math.random() / 2);
}

/** @throws the reason of the signal when the signal fires */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
