/**
 * Measures that confine the processes of jobs and parsers, where a machine allows them; see docs/operating.md.
 *
 * - `endsWithParent`: the kernel kills the process as soon as its parent dies, even if it is busy
 * - `noNewPrivileges`: it can gain no privileges, for example by a setuid program
 * - `noCapabilities`: it has no capabilities of root
 * - `ownUser`: no other process has its user, so it can signal or trace none and reads only what all may read
 * - `ownNetwork`: it is in a network namespace without interfaces
 * - `limits`: it leaves no core dumps, and has a limited number of files and (with `ownUser`) of threads
 */
export const confinementMeasures = [
  'endsWithParent',
  'noNewPrivileges',
  'noCapabilities',
  'ownUser',
  'ownNetwork',
  'limits',
] as const;
export type ConfinementMeasure = (typeof confinementMeasures)[number];
