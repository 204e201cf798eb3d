/** Streams address lists from a request body, so memory use does not grow with its size. */
import { StringDecoder } from 'node:string_decoder';
import { type ParsedElementInfo, type ParsedTokenInfo, Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { isAddress } from '#chain/codec/hex.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { hasValidChecksum } from '../../terms/primitives.ts';

/** Distinct, lower case, in the order of the body. */
export interface AddressLists {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

const bytesPerAddress = 96;

export const addressListBytes = (limit: number): number => Math.min(4096 + 2 * limit * bytesPerAddress, 64 << 20);

const accepted = 'the body must be {"addresses": […]}, {"add": […], "remove": […]}, an array, or one address per line';

/**
 * Reads addresses from one of these bodies: `{"addresses": […]}`, `{"add": […], "remove": […]}`, an array, or lines of
 * `0x…`, `"0x…"` or `{"address": "0x…"}`.
 * @param limit maximum number of distinct addresses per list
 * @throws ApiProblem bad_query for an invalid address, a list that is too long, or another format
 */
export async function readAddressLists(chunks: AsyncIterable<Buffer>, limit: number): Promise<AddressLists> {
  const lists = { add: new Set<string>(), remove: new Set<string>() };
  let count = 0;
  const take = (name: keyof typeof lists, text: string) => {
    const given = text.slice(0, 60);
    const fault = isAddress(text) ? 'has an invalid EIP-55 checksum' : 'is invalid';
    if (!isAddress(text) || !hasValidChecksum(text))
      throw new ApiProblem('bad_query', `address ${count + 1} ${fault}: ${given}`, { at: count, given });
    count++;
    lists[name].add(text.toLowerCase());
    if (lists[name].size > limit)
      throw new ApiProblem('bad_query', `each list may have at most ${limit} addresses, this one has more`);
  };
  let head = Buffer.alloc(0);
  let reader: Reader | undefined;
  for await (const chunk of chunks) {
    if (reader) reader.write(chunk);
    else head = Buffer.concat([head, chunk]);
    if (head.length >= headBytes) reader ??= createReader(head, take);
  }
  reader ??= createReader(head, take);
  reader.end();
  return { add: [...lists.add], remove: [...lists.remove] };
}

type Take = (name: 'add' | 'remove', text: string) => void;

interface Reader {
  write(chunk: Buffer): void;
  end(): void;
}

const headBytes = 256;

function createReader(head: Buffer, take: Take): Reader {
  const text = head.toString('latin1').trimStart();
  const reader = isDocument(text) ? new JsonReader(take, text.startsWith('[')) : new LineReader(take);
  reader.write(head);
  return reader;
}

/** Returns whether the body is one JSON value. Lines may begin with `{` too: `{"address": …}`. */
function isDocument(text: string): boolean {
  return (
    text.startsWith('[') ||
    (text.startsWith('{') && !/^\{\s{0,9}"address"\s{0,9}:\s{0,9}"[^"]{0,99}"\s{0,9}\}/.test(text))
  );
}

const maxLineLength = 1_000;

class LineReader implements Reader {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  readonly take: Take;

  constructor(take: Take) {
    this.take = take;
  }

  write(chunk: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#takeLine(line);
    if (this.#rest.length > maxLineLength)
      throw new ApiProblem('bad_query', `a line is longer than ${maxLineLength} characters; ${accepted}`);
  }

  end(): void {
    this.#takeLine(this.#rest + this.#decoder.end());
  }

  #takeLine(line: string): void {
    const text = line.trim();
    if (text !== '') this.take('add', lineAddress(text));
  }
}

function lineAddress(line: string): string {
  if (!/^[{"]/.test(line) || line.length > maxLineLength) return line;
  try {
    const value = JSON.parse(line) as string | { address?: string };
    return typeof value === 'string' ? value : String(value.address);
  } catch {
    return line;
  }
}

const maxDepth = 8;

const listNames: ReadonlyMap<unknown, 'add' | 'remove'> = new Map([
  ['addresses', 'add'],
  ['add', 'add'],
  ['remove', 'remove'],
]);

class JsonReader implements Reader {
  readonly #tokenizer = new Tokenizer();
  readonly #parser: TokenParser;
  readonly #isList: boolean;
  #depth = 0;
  #hasList = false;
  #text: unknown;
  #key: unknown;
  readonly take: Take;

  constructor(take: Take, isList: boolean) {
    this.take = take;
    this.#isList = isList;
    this.#hasList = isList;
    this.#parser = new TokenParser({ paths: [isList ? '$.*' : '$.*.*'], keepStack: false });
    this.#tokenizer.onToken = (token) => this.#read(token);
    this.#parser.onValue = (found) => this.#readValue(found);
    this.#tokenizer.onError = (error) => {
      throw error instanceof ApiProblem ? error : new ApiProblem('bad_query', accepted);
    };
  }

  write(chunk: Buffer): void {
    this.#tokenizer.write(chunk);
  }

  end(): void {
    if (!this.#parser.isEnded) throw new ApiProblem('bad_query', `the body is incomplete JSON; ${accepted}`);
    if (!this.#hasList) throw new ApiProblem('bad_query', `the body has no address list; ${accepted}`);
    this.#tokenizer.end();
  }

  #read(token: ParsedTokenInfo): void {
    const isOpening = token.token === TokenType.LEFT_BRACE || token.token === TokenType.LEFT_BRACKET;
    const isClosing = token.token === TokenType.RIGHT_BRACE || token.token === TokenType.RIGHT_BRACKET;
    if (!this.#isList && this.#depth === 1) this.#checkField(token);
    this.#depth += Number(isOpening) - Number(isClosing);
    if (this.#depth > (this.#isList ? 1 : maxDepth)) throw new ApiProblem('bad_query', accepted);
    this.#parser.write(token);
  }

  #checkField({ token, value }: ParsedTokenInfo): void {
    if (listNames.has(this.#key)) {
      if (token !== TokenType.LEFT_BRACKET && token !== TokenType.NULL)
        throw new ApiProblem('bad_query', `"${this.#key}" is not an array; ${accepted}`);
      this.#hasList = true;
    }
    this.#key = token === TokenType.COLON ? this.#text : undefined;
    this.#text = token === TokenType.STRING ? value : undefined;
  }

  #readValue({ value, parent, stack }: ParsedElementInfo): void {
    const list = this.#isList ? 'add' : listNames.get(stack[1]?.key);
    if (list === undefined || !Array.isArray(parent)) return;
    if (typeof value !== 'string') {
      const given = JSON.stringify(value).slice(0, 60);
      throw new ApiProblem('bad_query', `${given} is not an address; ${accepted}`);
    }
    this.take(list, value);
  }
}
