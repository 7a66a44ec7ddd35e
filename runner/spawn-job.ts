import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { JobConfinement } from './job-confinement.ts';
import type { JobFolders } from './job-folders.ts';
import { memorySettings } from './job-memory.ts';
import { childProgram, compiledOf, guardsOf, installation, jobRooms } from './job-code/code-files.ts';

interface SpawnOptions {
  readonly folders: JobFolders;
  readonly confinement: JobConfinement;
  readonly memoryMegabytes: number;
  /** Another program than that of jobs; for tests. */
  readonly program?: string | undefined;
  /** The folder of PLATEN_GEOIDS. */
  readonly geoidFolder?: string | undefined;
  /** The folder with the code of jobs; undefined until it has been written. */
  readonly jobCode: string | undefined;
  /** The job types that the process should preload first. */
  readonly likely: readonly string[];
}

const readablePaths = ['package.json', 'node_modules', 'build/epsg', ...jobRooms];
/** So that a job can report them. */
const ownRights = ['/proc/self/status', '/proc/self/limits'];
const guards = join(import.meta.dirname, 'guards.ts');

/** Starts a process that may access only its own folders and dies with this one. */
export function spawnJob(spawning: SpawnOptions): ChildProcess {
  const { folders, confinement, memoryMegabytes, jobCode, likely } = spawning;
  const { program = jobCode === undefined ? childProgram : compiledOf(jobCode, childProgram) } = spawning;
  const { user } = folders;
  const prefix = confinement.command(user?.id, user && [user.inputGroup]);
  const isTied = confinement.measures.has('endsWithParent');
  const memory = memorySettings(memoryMegabytes);
  const options = [...permissions(spawning), ...memory.options];
  const [execPath, ...words] = [...prefix, process.execPath];
  return fork(program, [...(isTied ? [] : ['--watch-parent']), ...likely], {
    execPath: execPath!,
    execArgv: [...words, ...options],
    env: { ...memory.environment, TMPDIR: folders.scratch, VIPS_BLOCK_UNTRUSTED: '1' },
    cwd: folders.own,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    detached: true, // Ctrl-C in the terminal signals the runner only
  });
}

/** Kills a process started by `spawnJob` with all that it may have started: it leads a process group of its own. */
export function killJob(child: ChildProcess): void {
  if (child.pid === undefined || process.platform === 'win32') {
    child.kill('SIGKILL');
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL'); // no such group: the process has just ended
  }
}

function permissions(spawning: SpawnOptions): string[] {
  const { folders, jobCode, geoidFolder } = spawning;
  const { own, output, scratch } = folders;
  return [
    '--permission', // denies the network and other processes, too
    ...(jobCode === undefined
      ? [`--require=${guards}`]
      : [`--require=${guardsOf(jobCode)}`, `--allow-fs-read=${jobCode}`]),
    '--allow-addons',
    '--disable-warning=PERM0001',
    '--allow-worker',
    '--disable-warning=PERM0006',
    ...readablePaths.map((name) => `--allow-fs-read=${join(installation, name)}`),
    ...(geoidFolder === undefined ? [] : [`--allow-fs-read=${geoidFolder}`]),
    `--allow-fs-read=${own}`,
    ...ownRights.map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-write=${output}`,
    `--allow-fs-write=${scratch}`,
  ];
}
