import test from 'ava';
import { atReaderPace } from '#api/read/export/places.ts';

test('a stream cuts no character, wherever its pieces end', async (t) => {
  const texts = [`${'a'.repeat(65_535)}😀${'b'.repeat(70_000)}`, 'é😀'.repeat(40_000)];
  const chunks: Buffer[] = [];
  for await (const chunk of atReaderPace(
    (async function* () {
      yield* texts;
    })(),
  ))
    chunks.push(chunk as Buffer);
  t.is(Buffer.concat(chunks).toString('utf8'), texts.join(''));
});
