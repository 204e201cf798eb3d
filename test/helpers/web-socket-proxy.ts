import { WebSocket, WebSocketServer } from 'ws';
import { freePort } from './processes.ts';

export class WebSocketProxy {
  readonly #sockets = new Set<WebSocket>();
  /** Says which messages of the node the proxy drops. */
  drops: (text: string) => boolean = () => false;
  readonly url: string;
  readonly server: WebSocketServer;

  private constructor(url: string, server: WebSocketServer, target: string, change: (text: string) => string) {
    this.url = url;
    this.server = server;

    server.on('connection', (near) => {
      const far = new WebSocket(target);
      const waiting: string[] = [];
      this.#sockets.add(near);
      near.on('message', (data) => {
        if (far.readyState === WebSocket.OPEN) far.send(change(data.toString()));
        else waiting.push(change(data.toString()));
      });
      far.on('open', () => {
        for (const text of waiting) far.send(text);
      });
      far.on('message', (data) => {
        if (!this.drops(data.toString())) near.send(data.toString());
      });
      far.on('error', () => {});
      near.on('error', () => {});
      far.on('close', () => near.terminate());
      near.on('close', () => {
        this.#sockets.delete(near);
        far.terminate();
      });
    });
  }

  static async start(target: string, change = (text: string) => text): Promise<WebSocketProxy> {
    const port = await freePort();
    const server = new WebSocketServer({ port, host: '127.0.0.1' });
    await new Promise((resolve) => server.once('listening', resolve));
    return new WebSocketProxy(`ws://127.0.0.1:${port}`, server, target, change);
  }

  cut(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
