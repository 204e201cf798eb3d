/** WebSocket connection to a node for requests and subscriptions. */
import { WebSocket } from 'ws';
import { type ExpectedChain, findChainDifference } from '#gateway/foreign-chain.ts';
import { sliceObject } from '#gateway/json-slices.ts';
import { known } from '#runtime/known.ts';

export interface NodeReply {
  readonly result?: string | undefined;
  readonly error?: { readonly message: string } | undefined;
}

interface NodeSocketHandlers {
  readonly onOpen: () => void;
  /** @param text the JSON of `value`, as the node sent it */
  readonly onNotification: (subscription: string, text: string, value: unknown) => void;
  readonly onUnreadable: (error: unknown) => void;
  readonly onClose: () => void;
}

interface Pending {
  readonly settle: (reply: NodeReply) => void;
  readonly fail: (error: Error) => void;
}

const askTimeoutMs = 5_000;
const pingEveryMs = 20_000;

export class NodeSocket {
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #isAlive = true;
  #isChecked = false;
  readonly handlers: NodeSocketHandlers;

  constructor(url: string, handlers: NodeSocketHandlers) {
    this.handlers = handlers;
    const socket = new WebSocket(url, { maxPayload: 64 << 20, handshakeTimeout: 5_000, perMessageDeflate: false });
    this.#socket = socket;
    const pings = setInterval(() => this.#ping(), pingEveryMs);
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    socket.on('open', handlers.onOpen);
    socket.on('message', (data) => {
      this.#isAlive = true;
      try {
        this.#receive(data.toString());
      } catch (error) {
        handlers.onUnreadable(error); // drop only this message
      }
    });
    socket.on('error', () => {}); // the 'close' event follows
    socket.on('close', () => {
      clearInterval(pings);
      for (const { fail } of [...this.#pending.values()]) fail(new Error('the connection to the node was lost'));
      handlers.onClose();
    });
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** @throws Error if the node serves another chain */
  async assertChain(expected: ExpectedChain): Promise<void> {
    const difference = await findChainDifference(expected, (method, params) => this.read(method, params));
    if (difference !== undefined) throw new Error(difference);
    this.#isChecked = true;
  }

  /** Whether the connection is open and assertChain() succeeded. */
  get isUsable(): boolean {
    return this.isOpen && this.#isChecked;
  }

  terminate(): void {
    this.#socket.terminate();
  }

  /** @returns the result, which can be null @throws Error if no reply arrives, or the reply is an error */
  async read(method: string, params: readonly unknown[]): Promise<unknown> {
    const { result, error } = await this.ask(method, params);
    if (error) throw new Error(error.message);
    return result;
  }

  /**
   * @param onReply called before the next message is read, which may be the first event of a subscription
   * @throws Error if no reply arrives, or as `onReply`
   */
  ask(method: string, params: readonly unknown[], onReply: (reply: NodeReply) => void = () => {}): Promise<NodeReply> {
    const id = this.#nextId++;
    return new Promise<NodeReply>((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        this.#pending.delete(id);
      };
      const fail = (error: unknown) => {
        end();
        reject(error);
      };
      const timer = setTimeout(() => fail(new Error('the node did not answer')), askTimeoutMs);
      const settle = (reply: NodeReply) => {
        try {
          onReply(reply);
          resolve(reply);
          end();
        } catch (error) {
          fail(error);
        }
      };
      this.#pending.set(id, { settle, fail });
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  #ping(): void {
    if (!this.#isAlive) {
      this.terminate();
      return;
    }
    this.#isAlive = false;
    if (this.isOpen) this.#socket.ping();
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as NodeReply & {
      id?: number;
      params?: { subscription: string; result: unknown };
    };
    const { params, result, error, id = -1 } = message;
    if (params) this.handlers.onNotification(params.subscription, resultText(text), params.result);
    else this.#pending.get(id)?.settle({ result, error });
  }
}

const resultText = (text: string) => sliceMember(sliceMember(text, 'params'), 'result');

const sliceMember = (text: string, member: string) =>
  known(sliceObject(text).find(([name]) => name === member)?.[1], member);
