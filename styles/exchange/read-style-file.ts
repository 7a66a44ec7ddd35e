import type { ImportedStyle, StyleFormat, StyleImport } from '@platen/contract/style-files';
import { SourceError } from '@platen/formats/source/source';
import { readWholeXmlTree, type XmlElement } from '@platen/formats/xml/xml-tree';
import { parseJson } from './mapbox/parse-json.ts';
import { readMapbox } from './mapbox/read-mapbox.ts';
import { cutText } from './cut-text.ts';
import { createNotes } from './notes.ts';
import { StyleFileError } from './read-error.ts';
import type { NotedStyle } from './rules.ts';
import { readQml } from './qml/read-qml.ts';
import { readSld } from './sld/read-sld.ts';

/**
 * Reads a style file of another program, whose format is recognised.
 * @throws StyleFileError with the line and column if the file is broken, or if it contains no style
 */
export async function readStyleFile(text: string): Promise<StyleImport> {
  const first = text.trimStart()[0];
  if (first === '{' || first === '[') return importOf('mapbox', readMapbox(parseJson(text), createNotes));
  const root = await readRoot(text);
  if (root.name === 'qgis') return importOf('qml', readQml(root, createNotes));
  const format = root.attributes['version']?.startsWith('1.1') ? 'sld-1.1' : 'sld-1.0';
  return importOf(format, readSld(root, createNotes));
}

function importOf(format: StyleFormat, found: readonly NotedStyle[]): StyleImport {
  const styles = found.flatMap(({ read, notes }): ImportedStyle[] =>
    read
      ? [
          {
            ...read,
            ...(read.name !== undefined && { name: cutText(read.name, 200) }),
            notes: [...notes.all],
          },
        ]
      : [],
  );
  if (styles.length > 0) return { format, styles };
  const [reason] = found.flatMap(({ notes }) => notes.all);
  throw new StyleFileError(`It contains no symbol that can be read. ${reason?.message ?? ''}`.trim());
}

async function readRoot(text: string): Promise<XmlElement> {
  if (!text.trimStart().startsWith('<'))
    throw new StyleFileError(
      'It is neither SLD nor QML, which begin with “<”, nor a style of Mapbox, which begins with “{”.',
    );
  try {
    return await readWholeXmlTree(text);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const { line, byte } = error.place;
    const column = byte === undefined ? undefined : columnOf(text, byte);
    const place = `Line ${line}${column === undefined ? '' : `, column ${column}`}: `;
    throw new StyleFileError(`${line === undefined ? '' : place}${reasonOf(error)}.`, { cause: error });
  }
}

/** Messages of the reader tell of uploads, which a text is none of. */
const reasonOf = ({ message }: SourceError) => message.replace(', upload it again', '');

/** Characters from the beginning of the line, from 1. */
function columnOf(text: string, byte: number): number {
  const before = Buffer.from(text).subarray(0, byte).toString();
  return before.length - before.lastIndexOf('\n');
}
