import type { FoundFile } from './upload-item.ts';

/** Files that operating systems leave in folders. */
const systemFiles = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

export const isSystemFile = (name: string): boolean => systemFiles.has(name) || name.startsWith('._');

/**
 * All dropped or pasted files, those in folders with their paths.
 * Call it before the event ends: its data is gone afterwards.
 */
export async function filesOf(transfer: DataTransfer): Promise<FoundFile[]> {
  const entries = [...transfer.items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    return entry ?? [];
  });
  if (entries.length === 0) return [...transfer.files].map((file) => ({ path: file.name, file }));
  const found: FoundFile[] = [];
  // one level after another; folders are never deep enough for this to matter
  for (let level: readonly FileSystemEntry[] = entries; level.length > 0;) {
    const next: FileSystemEntry[] = [];
    for (const entry of level) {
      if (isDirectory(entry)) next.push(...(await childrenOf(entry)));
      else if (isFile(entry) && !isSystemFile(entry.name)) {
        found.push({ path: entry.fullPath.replace(/^\//, ''), file: await fileOf(entry) });
      }
    }
    level = next;
  }
  return found;
}

/** The files of a file input; for a folder with their paths. */
export function filesOfInput(files: FileList): FoundFile[] {
  return [...files]
    .filter(({ name }) => !isSystemFile(name))
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject));

/** Reads entries in batches of a hundred until there are no more. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}
