import type { MapStyle } from '@platen/contract/map-styles';
import type { StyleExport, StyleFormat } from '@platen/contract/style-files';
import { writeMapbox } from './mapbox/write-mapbox.ts';
import { createNotes, type NoteList } from './notes.ts';
import type { StyleToWrite } from './rules.ts';
import { writeSld } from './sld/write-sld.ts';

interface Writer {
  readonly extension: string;
  readonly mediaType: string;
  readonly write: (style: StyleToWrite, notes: NoteList) => string;
}

const sld = { extension: 'sld', mediaType: 'application/vnd.ogc.sld+xml' };
const writers: Readonly<Record<StyleFormat, Writer>> = {
  'sld-1.0': { ...sld, write: (style, notes) => writeSld(style, '1.0.0', notes) },
  'sld-1.1': { ...sld, write: (style, notes) => writeSld(style, '1.1.0', notes) },
  mapbox: { extension: 'json', mediaType: 'application/json', write: writeMapbox },
};

/** Writes a style as a file of another program, with notes on what the format cannot say. */
export function writeStyleFile(style: StyleToWrite, format: StyleFormat): StyleExport {
  const notes = createNotes();
  const { extension, mediaType, write } = writers[format];
  noteOwnOptions(style.style, notes);
  const text = write(style, notes);
  const fileName = `${style.name.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, '_')}.${extension}`;
  return { fileName, mediaType, text, notes: [...notes.all] };
}

/** What no format knows. */
function noteOwnOptions({ colour, icon, label }: MapStyle, notes: NoteList): void {
  const hasIcon = icon || (colour.type === 'categories' && colour.categories.some((one) => one.icon));
  if (hasIcon) notes.add('leftOut', { what: 'Icon' });
  if (label?.maxDistance !== undefined) notes.add('leftOut', { what: 'maxDistance' });
}
