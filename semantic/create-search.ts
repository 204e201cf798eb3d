import { LRUCache } from 'lru-cache';
import type { Log } from '#runtime/log.ts';
import type { Database } from '#sql/client.ts';
import type { Embedder } from './embed/embedder.ts';
import { createStaticEmbedder } from './embed/static-embedder.ts';
import type { SearchDeps } from './search-knots.ts';
import { ShapeCatalogue } from './shape-catalogue.ts';
import { ShapeVectors } from './shape-vectors.ts';
import { TokenVocabulary } from './token-vocabulary.ts';
import { WordVectors } from './word-vectors.ts';

interface SearchParts {
  readonly database: Database;
  readonly log: Log;
  /** Embedding model; undefined: search only by word vectors. */
  readonly dense: Embedder | undefined;
  readonly nativeSymbol: string;
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 2_000;

export function createSearch(parts: SearchParts): SearchDeps {
  const { database, log, dense, nativeSymbol, timeoutMs = defaultTimeoutMs } = parts;
  const vectors = new WordVectors();
  return {
    database,
    log,
    catalogue: new ShapeCatalogue(database, vectors),
    shapeVectors: new ShapeVectors(database),
    wideScopes: new LRUCache({ max: 1_000 }),
    tokens: new TokenVocabulary(database, vectors, nativeSymbol),
    embedders: { local: createStaticEmbedder(vectors), dense, timeoutMs },
  };
}
