import { type FeedServer, startFeedServer } from './feed-server.ts';

interface Received {
  readonly id: string;
  readonly body: string;
  readonly headers: Record<string, string>;
}

export interface WebhookReceiver {
  readonly server: FeedServer;
  readonly url: string;
  /** Notifications in the order of their arrival. */
  readonly received: Received[];
  /** Status of the replies. */
  status: number;
  /** Body of the replies. */
  reply: string;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const server = await startFeedServer();
  const receiver: WebhookReceiver = { server, url: server.url('/hook'), received: [], status: 204, reply: '' };
  server.paths.set('/hook', (request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      receiver.received.push({ id: headers['webhook-id']!, body, headers });
      response.writeHead(receiver.status).end(receiver.reply);
    });
  });
  return receiver;
}
