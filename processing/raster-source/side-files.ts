import { openFile } from '@platen/formats/bytes/open-file';
import { parseSideFile, parseWorldFile, worldFileNames } from '@platen/formats/image/world-file';
import type { GeoTransform } from '@platen/formats/geotiff/geo-transform';
import type { JobInput } from '../job-type.ts';

/** What the files beside an image say of its place. */
export interface SidePlace {
  readonly crs: string | undefined;
  readonly transform: GeoTransform | undefined;
}

const maxBytes = 1 << 20;
const sideEndings = /\.(?:aux\.xml|prj|tfw|tifw|jgw|jpgw|jpegw|pgw|pngw|wpw|webpw|wld|ovr|msk|qpj|cpg)$/i;

/** Files that only say something about others. */
export function isSideFile({ name }: JobInput): boolean {
  return sideEndings.test(name);
}

/** GDAL's `.aux.xml`, a world file and a .prj among the inputs, or beside the file. */
export async function readSidePlace(input: JobInput, inputs: readonly JobInput[]): Promise<SidePlace> {
  const textOf = async (name: string): Promise<string | undefined> => {
    const ending = name.slice(name.indexOf('.', input.name.lastIndexOf('/') + 1) + 1).toLowerCase();
    const path = inputs.find((one) => one.name === name)?.path ?? input.related?.[ending];
    return path === undefined ? undefined : readText(path);
  };
  const side = await textOf(`${input.name}.aux.xml`);
  const found = side === undefined ? undefined : parseSideFile(side);
  const prj = await textOf(input.name.replace(/\.[^./]+$/, '.prj'));
  const crs = found?.crs ?? (prj?.trim() || undefined);
  if (found?.transform) return { crs, transform: found.transform };
  for (const name of worldFileNames(input.name)) {
    const text = await textOf(name);
    const transform = text === undefined ? undefined : parseWorldFile(text);
    if (transform) return { crs, transform };
  }
  return { crs, transform: undefined };
}

async function readText(path: string): Promise<string> {
  const file = await openFile(path);
  try {
    return new TextDecoder().decode(await file.read(0, Math.min(file.size, maxBytes)));
  } finally {
    await file.close();
  }
}
