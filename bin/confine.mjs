// Restricts a Linux process to given files and TCP ports for its lifetime. Source:
// https://docs.kernel.org/userspace-api/landlock.html
import { closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Access rights of Landlock, the Linux sandbox. All except readFolder can be granted for a single file. */
const [execute, writeFile, readFile, readFolder, truncate, useDevice] = [0n, 1n, 2n, 3n, 14n, 15n].map(
  (bit) => 1n << bit,
);
const [bindTcp, connectTcp] = [1n << 0n, 1n << 1n];
const abstractSockets = 1n << 0n;
/** Landlock rule types. */
const [pathBeneath, netPort] = [1, 2];
const noNewPrivileges = 38;
const onlyPath = 0o10000000;
const setDescriptorFlags = 2;

/** System files that a Node process reads. */
export const systemFiles = [
  ...['/usr', '/lib', '/lib64', '/etc/ld.so.cache', '/etc/localtime', '/etc/ssl/openssl.cnf'],
  ...['/proc', '/sys', '/dev/urandom'],
];

/** Returns the given folders and the project files that every program reads. */
export function projectFiles(...folders) {
  return ['bin', 'build', 'node_modules', 'package.json', ...folders].map((name) =>
    join(import.meta.dirname, '..', name),
  );
}

/** Returns the named environment variables. @param {string[]} names @returns {Record<string, string>} */
export function chooseEnvironment(names) {
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/**
 * Restricts this process, and restarts its program by execve so that the restriction covers all threads. Returns only
 * on failure.
 * @param {{readOnly: string[], readWrite: string[], ports: number[]}} needs allowed files, folders with their contents,
 * and ports to listen on; missing paths are ignored
 * @param {Record<string, string | undefined>} env environment of the restarted process
 * @returns {Promise<string>} reason of the failure
 */
export async function confineAndRestart(needs, env) {
  if (process.platform !== 'linux') return `${process.platform} has no Landlock`;
  try {
    const { default: koffi } = await import('koffi');
    confine(koffi.load(null), needs);
    return restart(koffi.load(null), env);
  } catch (error) {
    return String(error?.message ?? error);
  }
}

function confine(libc, { readOnly, readWrite, ports }) {
  // Landlock system calls; the numbers are the same on all architectures of Node. Source: Linux,
  // include/uapi/asm-generic/unistd.h
  const create = libc.func('long syscall(long number, void *rules, size_t size, uint32_t flags)');
  const add = libc.func('long syscall(long number, int ruleset, int kind, void *rule, uint32_t flags)');
  const restrict = libc.func('long syscall(long number, int ruleset, uint32_t flags)');
  const version = Number(create(444, null, 0, 1));
  if (version < 4) throw new Error(`Landlock version 4 is required, the kernel has ${Math.max(version, 0)}`);
  const allFiles = (1n << (version >= 5 ? 16n : 15n)) - 1n;
  const scopes = version >= 6 ? abstractSockets : 0n;
  const ruleset = Number(create(444, quads(allFiles, bindTcp | connectTcp, scopes), version >= 6 ? 24 : 16, 0));
  const addRule = (kind, rule) => {
    if (Number(add(445, ruleset, kind, rule, 0)) < 0) throw new Error('the kernel rejected a Landlock rule');
  };
  const allow = (path, rights) => {
    if (!existsSync(path)) return;
    const ofFile = execute | writeFile | readFile | truncate | useDevice;
    const descriptor = openSync(path, onlyPath | constants.O_CLOEXEC);
    const rule = Buffer.alloc(12);
    rule.writeBigUInt64LE(rights & allFiles & (statSync(path).isDirectory() ? allFiles : ofFile));
    rule.writeInt32LE(descriptor, 8);
    addRule(pathBeneath, rule);
    closeSync(descriptor);
  };
  for (const path of readOnly) allow(path, execute | readFile | readFolder);
  for (const path of readWrite) allow(path, allFiles ^ execute);
  for (const port of ports) addRule(netPort, quads(bindTcp, BigInt(port)));
  libc.func('int prctl(int option, long a, long b, long c, long d)')(noNewPrivileges, 1, 0, 0, 0);
  if (Number(restrict(446, ruleset, 0)) !== 0)
    throw new Error('the kernel rejected the Landlock sandbox for the process');
  closeSync(ruleset);
}

function restart(libc, env) {
  // Node sets close-on-exec on its file descriptors: clear it for those that the new program needs
  const inherited = [0, 1, 2];
  if (process.channel) {
    inherited.push(process.channel.fd);
    env.NODE_CHANNEL_FD = String(process.channel.fd);
  }
  const setFlags = libc.func('int fcntl(int descriptor, int command, int flags)');
  for (const descriptor of inherited) setFlags(descriptor, setDescriptorFlags, 0);
  const list = (values) => [...values, null];
  const execve = libc.func('int execve(const char *path, const char **argv, const char **envp)');
  execve(
    process.execPath,
    list([process.execPath, ...process.execArgv, ...process.argv.slice(1)]),
    list(Object.entries(env).map(([name, value]) => `${name}=${value}`)),
  );
  throw new Error('the process could not be restarted in the Landlock sandbox');
}

function quads(...values) {
  const bytes = Buffer.alloc(8 * values.length);
  for (const [i, value] of values.entries()) bytes.writeBigUInt64LE(value, 8 * i);
  return bytes;
}
