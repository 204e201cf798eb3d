// Entry point of the threads that encode blocks. pipeline/encode/thread.ts describes their task.
import { compiled } from './compiled.mjs';

export default (await import(await compiled('pipeline/encode/thread.ts'))).encode;
