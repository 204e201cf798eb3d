import type { Readable } from 'node:stream';

/** Headers after the body, because their values are known only at its end. @source RFC 9110 section 6.5 */
export interface Trailers {
  readonly names: readonly string[];
  values(): Readonly<Record<string, string>>;
}

export class HeadedReply<T> {
  readonly value: T;
  readonly headers: Readonly<Record<string, string>>;
  constructor(value: T, headers: Readonly<Record<string, string>>) {
    this.value = value;
    this.headers = headers;
  }
}

export class OtherReply {
  readonly contentType: string;
  readonly body: string | Buffer | Readable;
  readonly headers: Readonly<Record<string, string>>;
  readonly trailers?: Trailers | undefined;
  readonly status: number;
  constructor(
    contentType: string,
    body: string | Buffer | Readable,
    headers: Readonly<Record<string, string>> = {},
    trailers?: Trailers,
    status = 200,
  ) {
    this.contentType = contentType;
    this.body = body;
    this.headers = headers;
    this.trailers = trailers;
    this.status = status;
  }
}
