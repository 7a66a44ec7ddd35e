import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { print, printAtMost, printRatio } from './report.ts';

const members = 1_000_000;
const program = join(import.meta.dirname, 'writer-3tz.ts');

interface Run {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Above what the process takes without it. */
  readonly megabytes: number;
}

/** An archive of a million members beside a bare write of as many bytes, and the first request from it. */
export async function benchWrite3tz(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-3tz-'));
  const run = async (what: string): Promise<Run> => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, what, folder, String(members)]);
    const { seconds, cpuSeconds, megabytes } = JSON.parse(stdout) as Run;
    print(`${what}: ${seconds.toFixed(2)} s, ${cpuSeconds.toFixed(2)} CPU s, ${megabytes.toFixed(0)} MB`);
    return { seconds, cpuSeconds, megabytes };
  };
  try {
    const bare = await run('bare');
    const write = await run('write');
    printRatio('members a second', members / write.seconds, 150_000);
    print(`members a CPU second: ${(members / write.cpuSeconds).toFixed(0)}`);
    print(
      `time of a bare write of the same bytes: ${((bare.seconds / write.seconds) * 100).toFixed(0)} % of it`,
    );
    printAtMost('MB of memory for a million members', write.megabytes, 64);
    const { seconds } = await run('read');
    printAtMost('ms from the start of a process to its first member', seconds * 1000, 300);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
