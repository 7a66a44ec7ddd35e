import { execFile, fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installation, jobRooms } from './stripped-code/code-files.ts';

export interface JobFolders {
  /** The folder that holds the others. */
  readonly own: string;
  readonly inputs: string;
  readonly output: string;
  readonly scratch: string;
}

interface SpawnOptions {
  readonly folders: JobFolders;
  readonly memoryMegabytes: number;
  readonly program: string;
  /** The folder with the stripped code; undefined until it has been written. */
  readonly strippedCode: string | undefined;
  /** The job types that the process should preload first. */
  readonly likely: readonly string[];
}

const readablePaths = ['package.json', 'node_modules', 'build/epsg', ...jobRooms];
/** Cover what Node's permission model does not check. */
const guards = ['guard-sqlite.ts', 'guard-addons.ts'];

/** Starts a process that may access only its own folders and dies with this one. */
export async function spawnJob(spawning: SpawnOptions): Promise<ChildProcess> {
  const { folders, memoryMegabytes, program, likely } = spawning;
  const tie = await parentDeathCommand();
  const options = [...permissions(spawning), `--max-old-space-size=${Math.floor(memoryMegabytes * 0.8)}`];
  const [execPath, ...words] = tie ? [...tie, process.execPath] : [process.execPath];
  return fork(program, [...(tie ? [] : ['--watch-parent']), ...likely], {
    execPath: execPath!,
    execArgv: [...words, ...options],
    env: { TMPDIR: folders.scratch, VIPS_BLOCK_UNTRUSTED: '1' },
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

function permissions({ folders: { own, output, scratch }, strippedCode }: SpawnOptions): string[] {
  return [
    '--permission', // denies the network and other processes, too
    ...(strippedCode === undefined
      ? []
      : [`--require=${join(strippedCode, 'load.mjs')}`, `--allow-fs-read=${strippedCode}`]),
    ...guards.map((name) => `--require=${join(import.meta.dirname, name)}`),
    '--allow-addons',
    '--disable-warning=PERM0001',
    '--allow-worker',
    '--disable-warning=PERM0006',
    ...readablePaths.map((name) => `--allow-fs-read=${join(installation, name)}`),
    `--allow-fs-read=${own}`,
    `--allow-fs-write=${output}`,
    `--allow-fs-write=${scratch}`,
  ];
}

/** setpriv of util-linux, which all Debian and Fedora systems have; the one of busybox lacks the option. */
const setprivPaths = ['/usr/bin/setpriv', '/bin/setpriv'];
const deathSignalOptions = ['--pdeathsig', 'KILL', '--'];

let deathCommand: Promise<string[] | undefined> | undefined;

/**
 * The command prefix that makes the kernel kill a process as soon as its parent dies, even if it is busy.
 * @returns undefined without setpriv; then a thread watches the parent
 */
export function parentDeathCommand(): Promise<string[] | undefined> {
  return (deathCommand ??= findDeathCommand());
}

async function findDeathCommand(): Promise<string[] | undefined> {
  if (process.platform !== 'linux') return undefined;
  for (const place of setprivPaths) {
    const works = await promisify(execFile)(place, [...deathSignalOptions, place, '--version'], {
      env: {},
    }).then(
      () => true,
      () => false,
    );
    if (works) return [place, ...deathSignalOptions];
  }
  return undefined;
}
