import { createHash, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Processes with users of their own. No account has the number of one, so no other process runs as it. */
export type Purpose = 'database' | 'job';

interface Range {
  readonly first: number;
  readonly count: number;
}

/**
 * The preferred range first: above those of systemd's containers (up to 0x6FFFFFFF) and of the accounts that SSSD maps
 * (up to 2,000,200,000), below systemd's foreign users (from 0x7FFE0000). A container with its own user namespace
 * often has only 65,536 numbers; systemd leaves 60578–61183 of them unused.
 * https://github.com/systemd/systemd/blob/main/docs/UIDS-GIDS.md
 */
const ranges: Readonly<Record<Purpose, readonly Range[]>> = {
  database: [
    { first: 0x7800_0000, count: 2 ** 24 },
    { first: 60_578, count: 100 },
  ],
  job: [
    { first: 0x7900_0000, count: 2 ** 24 },
    { first: 60_678, count: 506 },
  ],
};

/**
 * The user of a folder: always the same for this folder, another for others on the machine. Also the number of a group.
 * @returns undefined if this process could not become it
 */
export async function userOfFolder(purpose: Purpose, folder: string): Promise<number | undefined> {
  const range = availableRange(purpose);
  if (!range) return undefined;
  const { dev, ino } = await stat(folder, { bigint: true });
  const hash = createHash('sha256').update(`${dev} ${ino}`).digest();
  return range.first + (hash.readUInt32LE() % range.count);
}

/** A user for one process. @returns undefined if this process could not become it */
export function randomUser(purpose: Purpose): number | undefined {
  const range = availableRange(purpose);
  return range && range.first + randomInt(range.count);
}

function availableRange(purpose: Purpose): Range | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  return ranges[purpose].find((range) => isMapped(range, 'uid_map') && isMapped(range, 'gid_map'));
}

/** Whether the numbers exist in the user namespace of this process; user_namespaces(7). */
function isMapped({ first, count }: Range, file: 'uid_map' | 'gid_map'): boolean {
  try {
    return readFileSync(`/proc/self/${file}`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .some(([start = 0, , length = 0]) => start <= first && first + count <= start + length);
  } catch {
    return false;
  }
}
