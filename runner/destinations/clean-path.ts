import { JobFailure } from '@platen/processing/job-type';

const maxPathBytes = 2048;
const maxSegmentBytes = 255;

/** Whether a path stays below its base folder on every file system and server. */
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

/**
 * Normalises a folder as people enter it: drops leading, trailing and double slashes.
 * @throws JobFailure
 */
export function cleanFolder(folder: string): string {
  const path = folder
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');
  if (path === '' || isClean(path)) return path;
  throw new JobFailure(
    'badDestination',
    `The folder “${printable(folder)}” of the destination is not a valid folder.`,
  );
}

/** Replaces control characters and shortens the text for messages. */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\u{fffd}')
    .slice(0, 300);
}

/** The parent folder of a path; empty at the top level. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
