// Entry point of the threads that encode blocks. pipeline/encode/thread.ts describes their task.
import { compiled } from './compiled.mjs';

const folder = process.env.CORDSCAN_COMPILED;
const file = folder ? `${folder}pipeline/encode/thread.js` : await compiled('pipeline/encode/thread.ts');
export default (await import(file)).encode;
