import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Identifies this machine and its process id namespace: containers and machines may share host names and process ids.
 * Fields that only Linux has are empty elsewhere.
 * @source Linux, proc(5): random/boot_id; pid_namespaces(7)
 */
export const machine = {
  host: hostname(),
  bootId: readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  pidNamespace: readOrEmpty(() => readlinkSync('/proc/self/ns/pid')),
};

function readOrEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return ''; // not Linux
  }
}
