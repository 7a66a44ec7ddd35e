import { readFile, stat } from 'node:fs/promises';
import { isUtf8 } from 'node:buffer';
import { openDecoder } from '../text/open-decoder.ts';
import {
  SourceError,
  type OpenOptions,
  type Source,
  type SourceFile,
  type SourceFormat,
  type SourceLayer,
} from '../source/source.ts';
import { fieldType, parseDbfHeader, type DbfHeader } from './dbf-header.ts';
import { divideByIndex, divideByWalk, headerBytes, type RecordRange } from './divide-records.ts';
import { openFileWindow, type FileWindow } from './file-window.ts';
import { readRecords, type ShapefileRange } from './read-records.ts';
import { encodingOfCpg, encodingOfLanguage } from './table-encoding.ts';

type Warning = Source['warnings'][number];

const magic = 9994;
const maxTextLength = 1 << 16;

/** Shapefile (ESRI Technical Description, July 1998) with its table in dBase III to V. */
export const shapefileFormat: SourceFormat = {
  name: 'shapefile',
  title: 'Shapefile',
  async open(file, options) {
    const shp = openFileWindow(file.path);
    try {
      return await openShapefile(file, shp, options);
    } finally {
      shp.close();
    }
  },
  read: async (part, visit, options) =>
    readRecords(part.file, part.range as ShapefileRange, { visit, ...options }),
};

async function openShapefile(file: SourceFile, shp: FileWindow, options: OpenOptions): Promise<Source> {
  const { statedBytes, bbox } = readHeader(shp);
  const ranges =
    indexRanges(file, shp, options.partBytes) ?? (await divideByWalk(shp, { statedBytes, ...options }));
  const rows = ranges.reduce((sum, range) => sum + range.rows, 0);
  const warnings: Warning[] = [];
  const table = await openTable(file, rows, warnings);
  const crs = await relatedText(file, 'prj');
  if (crs === undefined) {
    warnings.push({
      code: 'missingCrs',
      message:
        'the .prj is missing, so the coordinate system is unknown: upload it too, or select the coordinate system',
    });
  }
  const layer: SourceLayer = {
    name: undefined,
    crs,
    featureCount: rows,
    fields: table.header?.fields.map((field) => ({ name: field.name, type: fieldType(field) })),
    bbox,
    parts: ranges.map((range) => ({
      format: 'shapefile',
      file,
      weight: range.bytes + range.rows * (table.header?.recordBytes ?? 0),
      range: { ...range, table: table.header, encoding: table.encoding } satisfies ShapefileRange,
    })),
  };
  return { format: 'shapefile', file, layers: [layer], warnings };
}

function readHeader(shp: FileWindow): { statedBytes: number; bbox: SourceLayer['bbox'] } {
  const header = shp.need(0, headerBytes);
  if (header < 0)
    throw new SourceError('truncatedFile', 'the .shp is shorter than its header: upload it again');
  const { view } = shp;
  if (view.getInt32(header) !== magic)
    throw new SourceError('brokenFile', 'it is not a .shp: its header is wrong');
  const [west, south, east, north] = [36, 44, 52, 60].map((at) => view.getFloat64(at, true)) as [
    number,
    number,
    number,
    number,
  ];
  const sound = Number.isFinite(west + south + east + north) && west <= east && south <= north;
  const empty = west === 0 && south === 0 && east === 0 && north === 0;
  return {
    statedBytes: view.getUint32(24) * 2,
    bbox: sound && !empty ? [west, south, east, north] : undefined,
  };
}

function indexRanges({ related }: SourceFile, shp: FileWindow, partBytes: number): RecordRange[] | undefined {
  if (related['shx'] === undefined) return undefined;
  const shx = openFileWindow(related['shx']);
  try {
    const header = shx.need(0, headerBytes);
    if (header < 0 || shx.view.getInt32(header) !== magic) return undefined;
    return divideByIndex(shp, shx, partBytes);
  } finally {
    shx.close();
  }
}

interface Table {
  readonly header: DbfHeader | undefined;
  readonly encoding: string | undefined;
}

const maxDbfHeaderBytes = 0xffff;

async function openTable(file: SourceFile, rows: number, warnings: Warning[]): Promise<Table> {
  if (file.related['dbf'] === undefined) {
    warnings.push({
      code: 'missingAttributes',
      message: 'the .dbf is missing, so the features have no attributes: upload it too',
    });
    return { header: undefined, encoding: undefined };
  }
  const dbf = openFileWindow(file.related['dbf'], maxDbfHeaderBytes);
  try {
    dbf.need(0, Math.min(dbf.size, maxDbfHeaderBytes));
    const bytes = dbf.bytes.subarray(0, Math.min(dbf.size, maxDbfHeaderBytes));
    const encoding = file.encoding ?? (await cpgEncoding(file)) ?? encodingOfLanguage(bytes[29] ?? 0);
    const decode = openDecoder(encoding);
    const header = parseDbfHeader(bytes, dbf.size, (name) => decode(name, 0, name.length));
    if (header.rowCount < rows) {
      warnings.push({
        code: 'missingAttributes',
        message: `the .dbf has ${header.rowCount} rows for ${rows} shapes: the last ones have no attributes`,
      });
    }
    return { header, encoding };
  } finally {
    dbf.close();
  }
}

async function cpgEncoding(file: SourceFile): Promise<string | undefined> {
  const text = await relatedText(file, 'cpg');
  return text === undefined ? undefined : encodingOfCpg(text);
}

/** Returns undefined for a missing or empty file. */
async function relatedText({ related }: SourceFile, ending: string): Promise<string | undefined> {
  const path = related[ending];
  if (path === undefined || (await stat(path)).size > maxTextLength) return undefined;
  const bytes = await readFile(path);
  const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
  return text.replace('\ufeff', '').trim() || undefined;
}
