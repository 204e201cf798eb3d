import type { Readable } from 'node:stream';

/** Characters. */
const batchLength = 1 << 18;

/** Splits a stream into batches of lines. node:readline hides errors, so a broken stream would look complete. */
export async function* readBatches(rows: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    text += decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf('\n');
    if (end < batchLength) continue;
    yield text.slice(0, end);
    text = text.slice(end + 1);
  }
  if (text.trim() !== '') yield text.trimEnd();
}
