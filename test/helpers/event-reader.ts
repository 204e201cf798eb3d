export interface ReadEvent {
  readonly id: string;
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: events are checked field by field
  readonly data: any;
}

export class EventReader {
  readonly events: ReadEvent[] = [];
  readonly #controller = new AbortController();

  private constructor(reply: Response) {
    void this.#read(reply).catch(() => {}); // interrupted or closed
  }

  static async open(url: string, lastEventId?: string): Promise<EventReader> {
    const headers = {
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    };
    const reply = await fetch(url, { headers });
    if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()}`);
    return new EventReader(reply);
  }

  close(): void {
    this.#controller.abort();
  }

  async #read(reply: Response): Promise<void> {
    const reader = reply.body!.getReader();
    this.#controller.signal.addEventListener('abort', () => void reader.cancel());
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    if (!fields.has('data')) return;
    this.events.push({ id: fields.get('id')!, name: fields.get('event')!, data: JSON.parse(fields.get('data')!) });
  }
}
