import { writeFileSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { join } from 'node:path';
import { geoJsonFormat } from '@platen/formats/geojson/format';
import { SourceError, type Source, type SourceFile } from '@platen/formats/source/source';
export async function openSources(
  file: SourceFile,
  o: { signal: AbortSignal; partBytes: number; scratchFolder: string },
): Promise<Source[]> {
  const head = readFileSync(file.path).subarray(0, 2);
  if (head[0] === 0x1f && head[1] === 0x8b) {
    let bytes: Buffer;
    try {
      bytes = gunzipSync(readFileSync(file.path));
    } catch {
      throw new SourceError('brokenGzip', 'the gzip file is cut off or damaged');
    }
    const path = join(o.scratchFolder, 'x' + Math.random());
    writeFileSync(path, bytes);
    file = { ...file, path, size: bytes.length };
  }
  return [await geoJsonFormat.open(file, o)];
}
