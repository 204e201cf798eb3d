// Entry point of the threads that encode blocks, see pipeline/encode/thread.ts.
import { compiled } from './compiled.mjs';

const folder = process.env.CORDSCAN_COMPILED;
const file = folder ? `${folder}pipeline/encode/thread.js` : await compiled('pipeline/encode/thread.ts');
export default (await import(file)).encode;
