import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH. */
const shutDown = `open(my $f, '<', $ARGV[0]) or die $!; my $flags = pack('L', 2); ioctl($f, 0x8004587d, $flags) or die $!`;

/** An ext4 file system in a file, which can lose its power: whatever has not been synced is lost, as on a real disk. */
export interface LossyDisk {
  readonly folder: string;
  /** Puts everything on the disk, such as what the test itself has copied to it. */
  sync(): Promise<void>;
  /** Whatever is not on the disk is lost, and the disk fails until `restart`. */
  cutPower(): Promise<void>;
  /** Mounts it again: the journal is replayed. Waits until all processes that use it have ended. */
  restart(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Reason why this machine has no such disk; undefined if it has one. Mounting takes root, and a kernel with ext4 and loop
 * devices, which containers often lack: so it is no failure in CI either.
 */
export async function lossyDiskSkipReason(): Promise<string | undefined> {
  try {
    const disk = await createLossyDisk(64);
    await disk.remove();
    return undefined;
  } catch (error) {
    const [line] = (error as Error).message.trim().split('\n').slice(-1);
    return `NOT TESTED: this machine mounts no ext4 image (root, mkfs.ext4, loop devices and perl are needed): ${line}`;
  }
}

export async function createLossyDisk(megabytes: number): Promise<LossyDisk> {
  // not in memory: a file system on a loop device in tmpfs takes twice the memory
  const home = await mkdtemp(join(process.env['PLATEN_TEST_DISK'] ?? tmpdir(), 'platen-disk-'));
  const image = join(home, 'image');
  const folder = join(home, 'mounted');
  const mount = () => run('mount', ['-o', 'loop', image, folder]);
  /** Processes that were killed may use it a little longer: PostgreSQL notices the end of its service by itself. */
  const unmount = async () => {
    for (let tries = 1; ; tries++) {
      try {
        return await run('umount', [folder]);
      } catch (error) {
        if (tries === 200) throw error;
        await sleep(50);
      }
    }
  };
  try {
    await mkdir(folder);
    const file = await open(image, 'w');
    await file.truncate(megabytes * 2 ** 20);
    await file.close();
    await run('mkfs.ext4', ['-q', '-F', image]);
    await mount();
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    throw error;
  }
  return {
    folder,
    async sync() {
      await run('sync', ['-f', folder]);
    },
    async cutPower() {
      await run('perl', ['-e', shutDown, folder]);
    },
    async restart() {
      await unmount();
      await mount();
    },
    async remove() {
      await unmount().catch(() => run('umount', ['--lazy', folder]));
      await rm(home, { recursive: true, force: true });
    },
  };
}
