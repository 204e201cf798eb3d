// Process of the embedded ClickHouse, started by its supervisor.
import { compiled } from './compiled.mjs';

process.setSourceMapsEnabled(true);
await import(await compiled('sql/embedded/main.ts'));
