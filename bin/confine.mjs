// Takes from a process what it doesn't need, where Linux can: files beside the listed ones, and TCP beside the listed ports.
// The kernel keeps to it whatever the process does later. Source: https://docs.kernel.org/userspace-api/landlock.html
import { closeSync, constants, existsSync, openSync, statSync } from 'node:fs';

/** Rights to files. The first three and the last two are those that a rule for a single file may have. */
const [execute, writeFile, readFile, readFolder, truncate, useDevice] = [0n, 1n, 2n, 3n, 14n, 15n].map(
  (bit) => 1n << bit,
);
const [bindTcp, connectTcp] = [1n << 0n, 1n << 1n];
const abstractSockets = 1n << 0n;
/** Kinds of rules. */
const [pathBeneath, netPort] = [1, 2];
const noNewPrivileges = 38;
const onlyPath = 0o10000000;
const setDescriptorFlags = 2;

/**
 * Confines the process, then replaces it by the same program with the same arguments, so that every thread of it is
 * confined. Returns only where it could not.
 * @param {{readOnly: string[], readWrite: string[], ports: number[]}} needs files and folders, with all that is in
 *   them; what does not exist is left out
 * @param {Record<string, string | undefined>} env environment of what replaces it
 * @returns {Promise<string>} why the process runs as before
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
  // numbers of the calls on all architectures that Node runs on. Source: Linux, include/uapi/asm-generic/unistd.h
  const create = libc.func('long syscall(long number, void *rules, size_t size, uint32_t flags)');
  const add = libc.func('long syscall(long number, int ruleset, int kind, void *rule, uint32_t flags)');
  const restrict = libc.func('long syscall(long number, int ruleset, uint32_t flags)');
  const version = Number(create(444, null, 0, 1));
  if (version < 4) throw new Error(`the kernel has Landlock ${Math.max(version, 0)}, 4 is needed`);
  const allFiles = (1n << (version >= 5 ? 16n : 15n)) - 1n;
  const scopes = version >= 6 ? abstractSockets : 0n;
  const ruleset = Number(create(444, quads(allFiles, bindTcp | connectTcp, scopes), version >= 6 ? 24 : 16, 0));
  const addRule = (kind, rule) => {
    if (Number(add(445, ruleset, kind, rule, 0)) < 0) throw new Error('the kernel refused a rule of Landlock');
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
  if (Number(restrict(446, ruleset, 0)) !== 0) throw new Error('the kernel refused to confine the process');
  closeSync(ruleset);
}

function restart(libc, env) {
  // Node has its descriptors closed with the replacement: these are to outlive it
  const kept = [0, 1, 2];
  if (process.channel) {
    kept.push(process.channel.fd);
    env.NODE_CHANNEL_FD = String(process.channel.fd);
  }
  const setFlags = libc.func('int fcntl(int descriptor, int command, int flags)');
  for (const descriptor of kept) setFlags(descriptor, setDescriptorFlags, 0);
  const list = (values) => [...values, null];
  const execve = libc.func('int execve(const char *path, const char **argv, const char **envp)');
  execve(
    process.execPath,
    list([process.execPath, ...process.execArgv, ...process.argv.slice(1)]),
    list(Object.entries(env).map(([name, value]) => `${name}=${value}`)),
  );
  throw new Error('the process could not be replaced by its confined self');
}

function quads(...values) {
  const bytes = Buffer.alloc(8 * values.length);
  for (const [i, value] of values.entries()) bytes.writeBigUInt64LE(value, 8 * i);
  return bytes;
}
