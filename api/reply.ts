/** Replies that are no JSON of the route's schema: another format of the same data, or a stream. */
import type { Readable } from 'node:stream';

export class OtherReply {
  constructor(
    readonly contentType: string,
    readonly body: string | Readable,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}
