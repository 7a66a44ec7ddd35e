import type { CategoryValue, MapStyle } from '@platen/contract/map-styles';
import { maxStyleFileLength, type StyleExport, type StyleFormat } from '@platen/contract/style-files';
import { writeMapbox } from './mapbox/write-mapbox.ts';
import { createNotes, type NoteList } from './notes.ts';
import { StyleFileError } from './read-error.ts';
import type { StyleToWrite } from './rules.ts';
import { writeQml } from './qml/write-qml.ts';
import { writeSld } from './sld/write-sld.ts';

interface Writer {
  readonly extension: string;
  readonly mediaType: string;
  /** Characters that a value of a condition takes at least, besides its own. */
  readonly valueLength: number;
  /** Each rule has all of its conditions, and that of the others all values. */
  readonly repeatsConditions: boolean;
  readonly write: (style: StyleToWrite, notes: NoteList) => string;
}

const sld = {
  extension: 'sld',
  mediaType: 'application/vnd.ogc.sld+xml',
  valueLength: 150,
  repeatsConditions: true,
};
const writers: Readonly<Record<StyleFormat, Writer>> = {
  'sld-1.0': { ...sld, write: (style, notes) => writeSld(style, '1.0.0', notes) },
  'sld-1.1': { ...sld, write: (style, notes) => writeSld(style, '1.1.0', notes) },
  mapbox: {
    extension: 'json',
    mediaType: 'application/json',
    valueLength: 4,
    repeatsConditions: false,
    write: writeMapbox,
  },
  qml: {
    extension: 'qml',
    mediaType: 'application/xml',
    valueLength: 40,
    repeatsConditions: true,
    write: writeQml,
  },
};

/**
 * Writes a style as a file of another program, with notes on what the format cannot say.
 * @throws StyleFileError if the file would be longer than those that can be imported
 */
export function writeStyleFile(style: StyleToWrite, format: StyleFormat): StyleExport {
  const notes = createNotes();
  const writer = writers[format];
  const { extension, mediaType, write } = writer;
  noteOwnOptions(style.style, notes);
  if (format !== 'mapbox') noteOptionsOfMapbox(style.style, notes);
  const text = leastLength(style.style, writer) > maxStyleFileLength ? undefined : write(style, notes);
  if (text === undefined || text.length > maxStyleFileLength)
    throw new StyleFileError(
      `The file would be longer than ${maxStyleFileLength.toLocaleString('en')} characters. Use fewer categories, or fewer values in conditions.`,
    );
  const fileName = `${style.name.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, '_')}.${extension}`;
  return { fileName, mediaType, text, notes: [...notes.all] };
}

/** What only styles of Mapbox know, besides ours. */
function noteOptionsOfMapbox({ zoomSize, label }: MapStyle, notes: NoteList): void {
  if (zoomSize) notes.add('zoomSizes');
  for (const what of ['placement', 'rank', 'minZoom'] as const)
    if (label?.[what] !== undefined) notes.add('leftOut', { what });
}

/** What no format knows. */
function noteOwnOptions({ colour, icon, label }: MapStyle, notes: NoteList): void {
  const hasIcon = icon || (colour.type === 'categories' && colour.categories.some((one) => one.icon));
  if (hasIcon) notes.add('leftOut', { what: 'Icon' });
  const isOfPalette = colour.type !== 'single' && colour.palette !== undefined;
  const hasMethod = colour.type === 'classes' && (colour.method ?? 'own') !== 'own';
  if (isOfPalette || hasMethod) notes.add('palette');
  if (label?.maxDistance !== undefined) notes.add('leftOut', { what: 'maxDistance' });
}

/** Values that a file names, before the rest is written: it may be a hundred times as long as its style. */
function leastLength({ colour, filter = [] }: MapStyle, { valueLength, repeatsConditions }: Writer): number {
  const lengthOf = (values: readonly CategoryValue[]) =>
    values.reduce<number>((sum, value) => sum + String(value).length + valueLength, 0);
  const ofFilter = filter.reduce((sum, { values = [] }) => sum + lengthOf(values), 0);
  const { categories, others } = colour.type === 'categories' ? colour : { categories: [] };
  const ofCategories = categories.reduce((sum, { values }) => sum + lengthOf(values), 0);
  const rules = colour.type === 'classes' ? colour.colours.length : categories.length;
  return (
    ofFilter * (repeatsConditions ? Math.max(1, rules) : 1) +
    ofCategories * (repeatsConditions && others ? 2 : 1)
  );
}
