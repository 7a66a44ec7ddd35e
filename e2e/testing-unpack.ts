import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Unpacks the download of an app into a folder that exists. */
export async function unpackBundle(download: Response, folder: string): Promise<void> {
  const archive = join(folder, 'bundle.tar.gz');
  await writeFile(archive, new Uint8Array(await download.arrayBuffer()));
  await run('tar', ['-xzf', archive, '-C', folder]);
  await rm(archive);
}
