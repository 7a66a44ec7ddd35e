import type { GeoTransform } from '@platen/formats/geotiff/geo-transform';
import { parseSideFile, parseWorldFile, worldFileNames } from '@platen/formats/image/world-file';
import type { Subject } from '../inspector.ts';

/** Georeference from the files next to an image. */
export interface SidecarFiles {
  /** In a form that findCrs accepts. */
  readonly crs?: string;
  readonly transform?: GeoTransform;
  /** Name of the file that contains the transform. */
  readonly from?: string;
}

const maxWorldFileBytes = 4096;
const maxTextBytes = 4 << 20;

/** Reads GDAL's `.aux.xml`, then a world file and a .prj. */
export async function readSidecarFiles(subject: Subject): Promise<SidecarFiles> {
  const { name } = subject;
  const sideName = `${name}.aux.xml`;
  const text = await textOf(subject, sideName, maxTextBytes);
  const side = text === undefined ? undefined : parseSideFile(text);
  const projection = await prjOf(subject);
  const crs = side?.crs ?? projection;
  if (side?.transform)
    return { transform: side.transform, from: sideName, ...(crs !== undefined && { crs }) };
  for (const worldName of worldFileNames(name)) {
    const world = await textOf(subject, worldName, maxWorldFileBytes);
    const transform = world === undefined ? undefined : parseWorldFile(world);
    if (transform) return { transform, from: worldName, ...(crs !== undefined && { crs }) };
  }
  return crs === undefined ? {} : { crs };
}

async function prjOf(subject: Subject): Promise<string | undefined> {
  const base = subject.name.replace(/\.[^.]+$/, '');
  for (const ending of ['prj', 'PRJ']) {
    const text = await textOf(subject, `${base}.${ending}`, maxTextBytes);
    if (text?.trim()) return text.trim();
  }
  return undefined;
}

async function textOf(subject: Subject, name: string, maxBytes: number): Promise<string | undefined> {
  const file = await subject.find(name);
  if (!file || file.size > maxBytes) return undefined;
  return new TextDecoder().decode(await file.read(0, file.size));
}
