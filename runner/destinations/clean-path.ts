import { JobFailure } from '@platen/processing/job-type';

const maxPathBytes = 2048;
const maxSegmentBytes = 255;

/** A path that leads nowhere but below where it begins, on any file system and any server. */
export function isClean(path: string): boolean {
  return (
    Buffer.byteLength(path) <= maxPathBytes &&
    path.isWellFormed() &&
    !/[\p{Cc}\\]/u.test(path) &&
    path.split('/').every(isCleanSegment)
  );
}

function isCleanSegment(segment: string): boolean {
  return (
    segment !== '' && segment !== '.' && segment !== '..' && Buffer.byteLength(segment) <= maxSegmentBytes
  );
}

/** A folder as people write it: slashes around it and double ones mean nothing. @throws JobFailure */
export function cleanFolder(folder: string): string {
  const path = folder
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');
  if (path === '' || isClean(path)) return path;
  throw new JobFailure(
    'badDestination',
    `The folder “${printable(folder)}” of the destination is none that files may go to.`,
  );
}

/** What cannot be shown is not shown. */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\u{fffd}')
    .slice(0, 300);
}

/** The folder that a path is in; empty: none. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
