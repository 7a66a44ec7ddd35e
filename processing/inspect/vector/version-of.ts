import { openFile } from '@platen/formats/bytes/open-file';
import type { Source } from '@platen/formats/source/source';

const headBytes = 8192;

/** The version of the format that the file declares, if any. */
export async function versionOf({ format, file }: Source): Promise<string | undefined> {
  const read = readers[format];
  if (!read) return undefined;
  const opened = await openFile(file.path);
  try {
    return read(Buffer.from(await opened.read(0, headBytes)));
  } finally {
    await opened.close();
  }
}

const readers: Readonly<Record<string, (head: Buffer) => string | undefined>> = {
  geopackage(head) {
    const id = head.toString('latin1', 68, 72);
    if (id === 'GP10') return '1.0';
    if (id === 'GP11') return '1.1';
    const version = head.readUInt32BE(60); // GeoPackage 1.3, requirement 2: 10300
    if (id !== 'GPKG' || version < 10_200) return undefined;
    return `${Math.floor(version / 10_000)}.${Math.floor(version / 100) % 100}`;
  },
  flatgeobuf: (head) => String(head[3]),
  gpx: (head) =>
    /<(?:\w+:)?gpx\b[^<>]*?\bversion\s*=\s*["'](\d+\.\d+)["']/.exec(head.toString('latin1'))?.[1],
  kml: (head) =>
    /["']http:\/\/(?:www\.opengis\.net|earth\.google\.com)\/kml\/(\d+\.\d+)["']/.exec(
      head.toString('latin1'),
    )?.[1],
  gml(head) {
    const [, version] = /["']http:\/\/www\.opengis\.net\/gml(?:\/(\d+\.\d+))?["']/.exec(
      head.toString('latin1'),
    ) ?? [undefined, undefined];
    return version;
  },
};
