import type { StyleImport } from '@platen/contract/style-files';
import { StyleFileError } from '@platen/styles/exchange/read-error';
import { readStyleFile } from '@platen/styles/exchange/read-style-file';

/** What a style file contains, or what is wrong with it. */
type ReadStyleFile = StyleImport | { readonly problem: string };

/** Runs in a process for parsing. */
export async function parse(text: string): Promise<ReadStyleFile> {
  try {
    return await readStyleFile(text);
  } catch (error) {
    if (error instanceof StyleFileError) return { problem: error.message };
    throw error;
  }
}
