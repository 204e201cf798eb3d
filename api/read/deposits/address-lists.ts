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
  const begin = () => {
    reader = isDocument(head) ? new JsonReader(take) : new LineReader(take);
    reader.write(head);
  };
  for await (const chunk of chunks) {
    if (reader) reader.write(chunk);
    else head = Buffer.concat([head, chunk]);
    if (!reader && head.length >= headBytes) begin();
  }
  if (!reader) begin();
  reader!.end();
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

/** One JSON document; else lines, of which the first may be JSON too. */
function isDocument(head: Buffer): boolean {
  const text = head.toString('latin1', 0, headBytes).trimStart();
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
  /** Tells values of the first and second level, and forgets them. */
  readonly #parser = new TokenParser({ paths: ['$.*', '$.*.*'], keepStack: false });
  #depth = 0;
  #hasList = false;
  readonly take: Take;

  constructor(take: Take) {
    this.take = take;

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
  }

  #read(token: ParsedTokenInfo): void {
    if (this.#depth === 0) this.#hasList = token.token === TokenType.LEFT_BRACKET;
    const isOpening = token.token === TokenType.LEFT_BRACE || token.token === TokenType.LEFT_BRACKET;
    const isClosing = token.token === TokenType.RIGHT_BRACE || token.token === TokenType.RIGHT_BRACKET;
    this.#depth += Number(isOpening) - Number(isClosing);
    if (this.#depth > deepest) throw new ApiProblem('bad_query', accepted);
    this.#parser.write(token);
  }

  #readValue({ value, key, parent, stack }: ParsedElementInfo): void {
    const isOfList = Array.isArray(parent);
    const field = stack.length === 1 ? key : stack[1]!.key;
    if (stack.length === 1 && !isOfList) {
      const isNoList = listOf.has(field) && value !== null && !Array.isArray(value);
      if (isNoList) throw new ApiProblem('bad_query', `"${field}" is no array; ${accepted}`);
      this.#hasList ||= listOf.has(field);
      return;
    }
    const list = stack.length === 1 ? 'add' : listOf.get(field);
    if (list === undefined || !isOfList) return;
    if (typeof value !== 'string') {
      const given = JSON.stringify(value).slice(0, 60);
      throw new ApiProblem('bad_query', `${given} is no address; ${accepted}`);
    }
    this.take(list, value);
  }
}
