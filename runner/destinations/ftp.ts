import type { Destination } from './destination.ts';
import { printable } from './clean-path.ts';
import { folderDestination } from './folder-destination.ts';
import { keepFtpLines, type FtpTarget } from './ftp-lines.ts';
import { ftpTree } from './ftp-tree.ts';
import type { ConnectOptions } from './server-socket.ts';

interface OpenOptions extends ConnectOptions {
  /** Number of connections: FTP does one thing at a time on each. */
  readonly atOnce: number;
}

/** @throws JobFailure */
export async function openFtp(target: FtpTarget, { atOnce, ...reaching }: OpenOptions): Promise<Destination> {
  const address = `${target.isSecure ? 'ftps' : 'ftp'}://${printable(target.host)}:${target.port}`;
  const lines = keepFtpLines(target, { address, atOnce, ...reaching });
  try {
    return folderDestination(await ftpTree(lines, { folder: target.folder, address }));
  } catch (error) {
    lines.end();
    throw error;
  }
}
