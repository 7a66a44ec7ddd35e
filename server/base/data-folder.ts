import { resolve } from 'node:path';

/** The folder for all data of the service, which PLATEN_DATA names. */
export function dataFolderOf(env: NodeJS.ProcessEnv): string {
  return resolve(env['PLATEN_DATA'] || './data');
}
