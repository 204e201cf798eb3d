/**
 * Lists of addresses in a body, read as it comes: what is kept grows with the addresses that are allowed, not with what
 * is sent, and other requests are served between two chunks.
 */
import { StringDecoder } from 'node:string_decoder';
import { type ParsedElementInfo, type ParsedTokenInfo, Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { isAddress } from '#chain/codec/hex.ts';
import { ApiProblem } from '../../terms/errors.ts';

/** Distinct addresses in lower case, in the order of the body. */
export interface AddressLists {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Of an address with its quotes, key and blanks, as lists are usually written. */
const bytesPerAddress = 96;

/** Most bytes of a body with two lists of `limit` addresses each. */
export const addressListBytes = (limit: number): number => Math.min(4096 + 2 * limit * bytesPerAddress, 64 << 20);

const accepted = 'the body is {"addresses": […]}, {"add": […], "remove": […]}, an array, or an address a line';

/**
 * Reads `{"addresses": […]}` or `{"add": […], "remove": […]}`, an array, or lines of `0x…`, `"0x…"` or `{"address": "0x…"}`.
 * @param limit most distinct addresses of each list
 * @throws ApiProblem bad_query naming the first that is no address, or the list that is too long
 */
export async function readAddressLists(chunks: AsyncIterable<Buffer>, limit: number): Promise<AddressLists> {
  const lists = { add: new Set<string>(), remove: new Set<string>() };
  let count = 0;
  const take = (name: keyof typeof lists, text: string) => {
    const given = text.slice(0, 60);
    if (!isAddress(text)) {
      throw new ApiProblem('bad_query', `address ${count + 1} is none: ${given}`, { at: count, given });
    }
    count++;
    lists[name].add(text.toLowerCase());
    if (lists[name].size > limit)
      throw new ApiProblem('bad_query', `a set has at most ${limit} addresses here, and a list of the body has more`);
  };
  let head = Buffer.alloc(0);
  let reader: Reader | undefined;
  for await (const chunk of chunks) {
    if (reader) reader.write(chunk);
    else head = Buffer.concat([head, chunk]);
    if (head.length >= headBytes) reader ??= readerOf(head, take);
  }
  reader ??= readerOf(head, take);
  reader.end();
  return { add: [...lists.add], remove: [...lists.remove] };
}

type Take = (name: 'add' | 'remove', text: string) => void;

interface Reader {
  write(chunk: Buffer): void;
  /** @throws ApiProblem bad_query where the body is cut off */
  end(): void;
}

/** Bytes that are enough to see whether the body is one document or lines. */
const headBytes = 256;

/** The reader of a body that begins so; it has read this beginning. */
function readerOf(head: Buffer, take: Take): Reader {
  const text = head.toString('latin1').trimStart();
  const reader = isDocument(text) ? new JsonReader(take, text.startsWith('[')) : new LineReader(take);
  reader.write(head);
  return reader;
}

/** One JSON document; else lines, of which the first may be JSON too. */
function isDocument(text: string): boolean {
  return (
    text.startsWith('[') ||
    (text.startsWith('{') && !/^\{\s{0,9}"address"\s{0,9}:\s{0,9}"[^"]{0,99}"\s{0,9}\}/.test(text))
  );
}

/** Characters of a line that may hold an address; a longer one is refused as it comes. */
const longestLine = 1_000;

/** One address per line: bare, in quotes, or as `{"address": …}`. */
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
    if (this.#rest.length > longestLine)
      throw new ApiProblem('bad_query', `a line is longer than ${longestLine} characters; ${accepted}`);
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
  if (!/^[{"]/.test(line) || line.length > longestLine) return line;
  try {
    const value = JSON.parse(line) as string | { address?: string };
    return typeof value === 'string' ? value : String(value.address);
  } catch {
    return line;
  }
}

/** Brackets within brackets. */
const deepest = 8;

/** Where lists stand in an object. */
const listOf: ReadonlyMap<unknown, 'add' | 'remove'> = new Map([
  ['addresses', 'add'],
  ['add', 'add'],
  ['remove', 'remove'],
]);

/** One document: an object with lists, or a list. Other fields of the object are ignored. */
class JsonReader implements Reader {
  readonly #tokenizer = new Tokenizer();
  /** Tells the values of lists, and forgets them. */
  readonly #parser: TokenParser;
  readonly #isList: boolean;
  #depth = 0;
  #hasList = false;
  /** Text that may be a key of the outermost object, and the key whose value comes next. */
  #text: unknown;
  #key: unknown;
  readonly take: Take;

  /** @param isList whether the document itself is a list */
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
    if (!this.#parser.isEnded) throw new ApiProblem('bad_query', `the body ends amid its JSON; ${accepted}`);
    if (!this.#hasList) throw new ApiProblem('bad_query', `the body holds no list; ${accepted}`);
    this.#tokenizer.end();
  }

  #read(token: ParsedTokenInfo): void {
    const isOpening = token.token === TokenType.LEFT_BRACE || token.token === TokenType.LEFT_BRACKET;
    const isClosing = token.token === TokenType.RIGHT_BRACE || token.token === TokenType.RIGHT_BRACKET;
    if (!this.#isList && this.#depth === 1) this.#noteField(token);
    this.#depth += Number(isOpening) - Number(isClosing);
    if (this.#depth > (this.#isList ? 1 : deepest)) throw new ApiProblem('bad_query', accepted);
    this.#parser.write(token);
  }

  /** Looks whether what is named as a list is one. */
  #noteField({ token, value }: ParsedTokenInfo): void {
    if (listOf.has(this.#key)) {
      if (token !== TokenType.LEFT_BRACKET && token !== TokenType.NULL)
        throw new ApiProblem('bad_query', `"${this.#key}" is no array; ${accepted}`);
      this.#hasList = true;
    }
    this.#key = token === TokenType.COLON ? this.#text : undefined;
    this.#text = token === TokenType.STRING ? value : undefined;
  }

  #readValue({ value, parent, stack }: ParsedElementInfo): void {
    const list = this.#isList ? 'add' : listOf.get(stack[1]?.key);
    if (list === undefined || !Array.isArray(parent)) return;
    if (typeof value !== 'string') {
      const given = JSON.stringify(value).slice(0, 60);
      throw new ApiProblem('bad_query', `${given} is no address; ${accepted}`);
    }
    this.take(list, value);
  }
}
