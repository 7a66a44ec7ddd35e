import { SourceError } from '../source/source.ts';
import type { UnpackedUpload, RecognisedFile } from './unpack-upload.ts';

const maxListed = 8;

/** Archives that are one thing together, by the name of a member. */
const knownArchives: readonly (readonly [member: RegExp, title: string, advice: string])[] = [
  [/\/\[Content_Types\]\.xml$/, 'an Office document (xlsx, docx)', 'save the table as CSV'],
  [/\/content\.xml$/, 'a LibreOffice document (ods, odt)', 'save the table as CSV'],
  [/\.gdbtable$/i, 'a File Geodatabase', 'this is not supported yet, save its layers as GeoPackage'],
  [/\/3dSceneLayer\.json(?:\.gz)?$/i, 'an I3S scene layer', 'use a job for 3D objects'],
];

/** Explains why an upload contains no features, and what to do. */
export function noDataError({ members, fromZip }: UnpackedUpload): SourceError {
  const [first] = members;
  if (!fromZip && first !== undefined) return describe(first, '');
  if (first === undefined)
    return new SourceError('notRecognised', 'the archive is empty: upload the data itself');
  const whole = describeKnownArchive(members.map(({ file }) => file.name));
  if (whole !== undefined) return new SourceError('unsupported', whole);
  if (members.length === 1) return describe(first, `${innerName(first)}: `);
  const shp = members.find(({ recognised }) => recognised.is === 'companion');
  if (shp !== undefined) return describe(shp, `${innerName(shp)}: `);
  const listed = members.slice(0, maxListed).map((member) => `${innerName(member)} (${titleOf(member)})`);
  const more = members.length > maxListed ? ` and ${members.length - maxListed} more` : '';
  const code = members.some(
    ({ recognised }) => recognised.is === 'other' && recognised.code === 'unsupported',
  )
    ? 'unsupported'
    : 'notRecognised';
  return new SourceError(code, `the archive contains no supported data, only ${listed.join(', ')}${more}`);
}

/**
 * Recognises archives whose members belong together, and says what to do. @param names with the name of the archive in
 * front
 */
export function describeKnownArchive(names: readonly string[]): string | undefined {
  const known = knownArchives.find(([pattern]) => names.some((name) => pattern.test(name)));
  return known && `it is ${known[1]}: ${known[2]}`;
}

/** Without the name of the archive, which people know. */
export function innerName({ file }: RecognisedFile): string {
  return file.name.slice(file.name.indexOf('/') + 1);
}

function titleOf({ recognised }: RecognisedFile): string {
  if (recognised.is === 'data') return recognised.format;
  return recognised.is === 'archive' ? `an archive inside the archive` : recognised.title;
}

function describe({ recognised }: RecognisedFile, prefix: string): SourceError {
  if (recognised.is === 'other') return new SourceError(recognised.code, prefix + recognised.message);
  if (recognised.is === 'companion') return new SourceError('unsupported', prefix + recognised.message);
  return new SourceError(
    'unsupported',
    `${prefix}it is an archive inside an archive: unpack it and upload its content`,
  );
}
