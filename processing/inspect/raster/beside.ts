import type { GeoTransform } from '@platen/formats/geotiff/geo-transform';
import { parseSideFile, parseWorldFile, worldFileNames } from '@platen/formats/image/world-file';
import type { Subject } from '../inspector.ts';

/** What files beside an image say of its place. */
export interface Beside {
  /** As findCrs takes it. */
  readonly crs?: string;
  readonly transform?: GeoTransform;
  /** The name of the file that has the transform. */
  readonly from?: string;
}

const longestWorldFile = 4096;
const longestText = 4 << 20;

/** `.aux.xml` of GDAL, then a world file and a .prj. */
export async function findBeside(subject: Subject): Promise<Beside> {
  const { name } = subject;
  const sideName = `${name}.aux.xml`;
  const text = await textOf(subject, sideName, longestText);
  const side = text === undefined ? undefined : parseSideFile(text);
  const projection = await prjOf(subject);
  const crs = side?.crs ?? projection;
  if (side?.transform)
    return { transform: side.transform, from: sideName, ...(crs !== undefined && { crs }) };
  for (const worldName of worldFileNames(name)) {
    const world = await textOf(subject, worldName, longestWorldFile);
    const transform = world === undefined ? undefined : parseWorldFile(world);
    if (transform) return { transform, from: worldName, ...(crs !== undefined && { crs }) };
  }
  return crs === undefined ? {} : { crs };
}

async function prjOf(subject: Subject): Promise<string | undefined> {
  const base = subject.name.replace(/\.[^.]+$/, '');
  for (const ending of ['prj', 'PRJ']) {
    const text = await textOf(subject, `${base}.${ending}`, longestText);
    if (text?.trim()) return text.trim();
  }
  return undefined;
}

async function textOf(subject: Subject, name: string, longest: number): Promise<string | undefined> {
  const file = await subject.find(name);
  if (!file || file.size > longest) return undefined;
  return new TextDecoder().decode(await file.read(0, file.size));
}
