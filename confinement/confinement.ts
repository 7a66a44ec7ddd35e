import { accessSync, readFileSync, readlinkSync } from 'node:fs';
import { confinementMeasures, type ConfinementMeasure } from '@platen/contract/confinement';
import { randomUser } from './reserved-users.ts';
import { runCommand } from './run-command.ts';

/**
 * The least rights that a process can be started with on this machine, by programs of util-linux, which all Debian and
 * Fedora systems have.
 */
export interface Confinement {
  /** The measures that hold on this machine. */
  readonly measures: ReadonlySet<ConfinementMeasure>;
  /** A user for one process, which is also its group; undefined: it runs as our user. */
  readonly newUser: () => number | undefined;
  /**
   * The command that starts another one, which follows it; empty without any measure.
   * @param user from `newUser`
   * @param groups groups of that user besides its own
   */
  command(user: number | undefined, groups?: readonly number[]): string[];
}

const maxFiles = 16_384;
/** Threads of one process: those of Node, of image libraries and of a job that uses all cores. */
const maxThreads = 2048;
/** CHOWN, DAC_OVERRIDE, FOWNER, KILL, SETGID and SETUID: needed to look after processes of other users. */
const capabilitiesForUsers = 0b1110_1011n;

/**
 * Finds the measures that work, by starting a process with all of them that looks at itself. If that fails, each is
 * tried alone.
 * @param reachable files and folders that a process must be able to read or enter with a user of its own
 */
export async function detectConfinement(reachable: readonly string[] = []): Promise<Confinement> {
  let measures = await holding(new Set(confinementMeasures), reachable);
  if (measures.size === 0) {
    const possible = new Set<ConfinementMeasure>();
    for (const measure of confinementMeasures)
      if ((await holding(new Set([measure]), reachable)).has(measure)) possible.add(measure);
    measures = await holding(possible, reachable);
  }
  return {
    measures,
    newUser: () => (measures.has('ownUser') ? randomUser('job') : undefined),
    command: (user, groups = []) => commandOf(measures, user, groups),
  };
}

/** Prints what the kernel knows of it. */
const lookAtItself = `for path; do test -x "$path" || test -r "$path" || exit 1; done
cat /proc/self/status /proc/self/limits; readlink /proc/self/ns/net`;

/** @returns the measures of these that hold in a process that is started with them; none if it cannot be started */
async function holding(
  measures: ReadonlySet<ConfinementMeasure>,
  reachable: readonly string[],
): Promise<ReadonlySet<ConfinementMeasure>> {
  const user = measures.has('ownUser') && mayChangeUsers() ? randomUser('job') : undefined;
  if (measures.has('ownUser') && user === undefined) {
    const others = measures.difference(new Set(['ownUser']));
    return others.size === 0 ? others : holding(others, reachable);
  }
  const [program, ...words] = commandOf(measures, user, []);
  if (program === undefined) return new Set();
  const probe = [...words, '/bin/sh', '-c', lookAtItself, 'sh', ...(user === undefined ? [] : reachable)];
  const seen = await runCommand(program, probe).catch(() => undefined);
  if (seen === undefined) return new Set();
  const holds = measuresIn(seen, user);
  return new Set([...measures].filter((measure) => holds[measure]));
}

function measuresIn(seen: string, user: number | undefined): Record<ConfinementMeasure, boolean> {
  const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(seen)?.[1] ?? '';
  const isEmpty = (set: string) => /^0+$/.test(field(set));
  const hasNoNewPrivileges = field('NoNewPrivs') === '1';
  return {
    endsWithParent: true, // the kernel does not show it
    noNewPrivileges: hasNoNewPrivileges,
    noCapabilities:
      ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'].every(isEmpty) && (isEmpty('CapBnd') || hasNoNewPrivileges),
    ownUser: user !== undefined && field('Uid') === Array.from({ length: 4 }, () => user).join('\t'),
    ownNetwork: !seen.includes(readlinkSync('/proc/self/ns/net')),
    limits: /^Max core file size\s+0\s+0\s/m.test(seen),
  };
}

function commandOf(
  measures: ReadonlySet<ConfinementMeasure>,
  user: number | undefined,
  groups: readonly number[],
): string[] {
  const isRoot = process.getuid?.() === 0;
  const [unshare, prlimit, setpriv] = ['unshare', 'prlimit', 'setpriv'].map(pathOf);
  const network = measures.has('ownNetwork') && unshare !== undefined;
  // others need a user namespace, which gives them the capabilities of root in it; the last step drops them
  const namespace = isRoot ? ['--net'] : ['--user', '--map-current-user', '--keep-caps', '--net'];
  const hasCapabilities = isRoot || network;
  const rights = [
    ...(measures.has('endsWithParent') ? ['--pdeathsig', 'KILL'] : []),
    ...(measures.has('noNewPrivileges') ? ['--no-new-privs'] : []),
    ...(measures.has('noCapabilities') && hasCapabilities
      ? ['--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all']
      : []),
    ...(user === undefined ? [] : ['--reuid', `${user}`, '--regid', `${user}`]),
    ...(user === undefined ? [] : groups.length > 0 ? ['--groups', groups.join()] : ['--clear-groups']),
  ];
  const limits = [
    '--core=0',
    `--nofile=${fileLimit()}`,
    ...(user === undefined ? [] : [`--nproc=${maxThreads}`]),
  ];
  return [
    ...(network ? [unshare, ...namespace, '--'] : []),
    ...(measures.has('limits') && prlimit !== undefined ? [prlimit, ...limits, '--'] : []),
    ...(rights.length > 0 && setpriv !== undefined ? [setpriv, ...rights, '--'] : []),
  ];
}

function pathOf(program: string): string | undefined {
  return ['/usr/bin', '/bin'].map((folder) => `${folder}/${program}`).find(exists);
}

function exists(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Only root could raise the limit that this process has. */
function fileLimit(): number {
  const own = /^Max open files\s+\S+\s+(\d+)/m.exec(read('/proc/self/limits'))?.[1];
  return Math.min(maxFiles, Number(own ?? maxFiles));
}

/** Whether we can look after processes of other users, and they can read the files that we make for them. */
function mayChangeUsers(): boolean {
  const status = read('/proc/self/status');
  const effective = /^CapEff:\s*([\da-f]+)$/m.exec(status)?.[1] ?? '0';
  const umask = Number.parseInt(/^Umask:\s*(\d+)$/m.exec(status)?.[1] ?? '777', 8);
  return (BigInt(`0x${effective}`) & capabilitiesForUsers) === capabilitiesForUsers && (umask & 0o005) === 0;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
