import { describeKnownArchive } from '@platen/formats/open/no-data';
import type { Subject } from '../inspector.ts';
import type { ListedFile } from './choose-members.ts';
import type { FolderContext } from './folder-context.ts';

const maxNamed = 8;

interface ReportOptions {
  readonly titles: ReadonlyMap<string, string>;
  readonly folderContext: FolderContext;
}

/** Reports that the folder contains no usable data, what it contains instead, and what to do. */
export function reportNoData(
  { name }: Subject,
  files: readonly ListedFile[],
  { titles, folderContext }: ReportOptions,
): void {
  const { issues } = folderContext.context;
  const what = folderContext.isZip ? 'archive' : 'folder';
  if (files.length === 0) {
    issues.add('emptyArchive', `${name} contains no files. Upload the data itself.`);
    return;
  }
  const whole = describeKnownArchive(files.map((file) => `${name}/${file.name}`));
  if (whole !== undefined) {
    issues.add('unsupported', `${name}: ${whole}.`);
    return;
  }
  const listed = files
    .toSorted((a, b) => b.size - a.size)
    .slice(0, maxNamed)
    .map((file) => {
      const title = titles.get(file.name);
      return file.name.slice(0, 100) + (title === undefined ? '' : ` (${title})`);
    });
  const more = files.length > maxNamed ? ` and ${files.length - maxNamed} more` : '';
  const nested = [...titles.values()].filter((title) => title.endsWith('archive')).length;
  const advice =
    nested > 0 && nested === titles.size
      ? 'Unpack it once, and upload the archives inside one by one.'
      : 'Upload the data itself, or the folder exported by the program that made it.';
  issues.add(
    'nothingUsable',
    `${name} contains no supported data. The ${what} contains ${listed.join(', ')}${more}. ${advice}`,
  );
}
