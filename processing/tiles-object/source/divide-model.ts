import { readChunks } from '@platen/formats/bytes/read-chunks';
import { divideCityGml } from '@platen/formats/citygml/divide-city-gml';
import { SourceError } from '@platen/formats/source/source';
import { encodingOf } from '@platen/formats/xml/read-utf8';
import type { ModelFile } from './model-file.ts';
import { maxTextBytes } from './read-model.ts';

/** Some seconds of work: what a killed runner loses at most. The same for any memory, as results depend on it. */
const partBytes = 16 << 20;

/** A large CityGML file as parts that several threads read; others, and those that are damaged, as one. */
export async function divideModel(file: ModelFile, bytesOfPart = partBytes): Promise<readonly ModelFile[]> {
  if (file.format !== 'citygml' || file.size < 2 * bytesOfPart) return [file];
  try {
    // ranges of bytes in another encoding cannot be read by themselves
    if ((await encodingOf({ ...file, related: {} })) !== 'utf-8') return [file];
    const parts = await divideCityGml(readChunks(file.path), {
      partBytes: bytesOfPart,
      maxBytes: maxTextBytes,
    });
    if (parts === undefined || parts.length < 2) return [file];
    const { path, name, format, crs } = file;
    return parts.map((members) => ({ path, name, format, crs, size: members.end - members.start, members }));
  } catch (error) {
    // the file is read as far as possible, and then what is wrong is said
    if (error instanceof SourceError) return [file];
    throw error;
  }
}
