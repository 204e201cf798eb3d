// Process of the embedded ClickHouse, started by its supervisor with the arguments that engine/main.ts tells.
import { join, resolve } from 'node:path';
import { compiled } from './compiled.mjs';
import { confineAndRestart } from './confine.mjs';

/** Holds the compiled program, once the process is confined. */
const mark = 'CORDSCAN_CONFINED_MAIN';
const systemFiles = [
  ...['/usr', '/lib', '/lib64', '/etc/ld.so.cache', '/etc/localtime', '/etc/ssl/openssl.cnf'],
  ...['/proc', '/sys', '/dev/urandom'],
];

process.setSourceMapsEnabled(true);
let main = process.env[mark];
if (main === undefined) {
  main = await compiled('engine/main.ts');
  const [data, port, backups, passwordFile, spool] = process.argv.slice(2);
  const project = ['bin', 'build', 'node_modules', 'engine', 'package.json'].map((name) =>
    join(import.meta.dirname, '..', name),
  );
  const reason = await confineAndRestart(
    {
      readOnly: [process.execPath, resolve(passwordFile), ...project, ...systemFiles],
      readWrite: [...[data, backups, spool].map((path) => resolve(path)), '/dev/null'],
      ports: [Number(port)],
    },
    { ...ownEnvironment(), [mark]: main },
  );
  console.error(`embedded ClickHouse runs unconfined, only its own checks keep it to its files: ${reason}`);
}
await import(main);

/** What Node and the engine read; secrets of the service are none of it. */
function ownEnvironment() {
  const names = ['PATH', 'TZ', 'LANG', 'UV_THREADPOOL_SIZE', 'NODE_OPTIONS', 'NODE_CHANNEL_SERIALIZATION_MODE'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
