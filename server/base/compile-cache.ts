import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { makePrivateFolder } from '@platen/confinement/trusted-folder';

/**
 * Keeps compiled code in the data folder, so that later starts neither strip types nor compile. Node runs the code in
 * it without comparing it to the sources, so a folder that others can write to is not used, and neither is a temporary
 * folder, where another user could be first.
 * @param say gets one line if there is no cache
 */
export async function keepCompiledCode(dataFolder: string, say: (line: string) => void): Promise<void> {
  const cache = join(dataFolder, 'cache');
  const folder = join(cache, 'node');
  const problem = await makePrivateFolder(folder, [dataFolder, cache]);
  if (problem === undefined) enableCompileCache(folder);
  else
    say(
      `Compiled code is not cached, so starting takes longer. ${problem} Only the service may write to it.`,
    );
}
