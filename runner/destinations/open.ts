import type { BundleTarget } from '@platen/contract/runner-bundle';
import type { Destination } from './destination.ts';
import type { ConnectOptions } from './server-socket.ts';

export interface OpenOptions extends ConnectOptions {
  readonly publishFolder: string | undefined;
  /** Maximum number of concurrent uploads. */
  readonly atOnce: number;
  readonly onUnknownHost: (fingerprint: string) => void;
}

/** @throws JobFailure */
export async function openDestination(target: BundleTarget, opening: OpenOptions): Promise<Destination> {
  // loaded on demand: the libraries take memory, and most jobs publish nothing
  switch (target.type) {
    case 'fs':
      return (await import('./fs.ts')).openFolder(target, opening);
    case 'sftp':
      return (await import('./sftp.ts')).openSftp(target, opening);
    case 'ftp':
      return (await import('./ftp.ts')).openFtp(target, opening);
    case 's3':
      return (await import('./s3.ts')).openS3(target, opening);
  }
}
