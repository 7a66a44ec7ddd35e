import { openFileSync } from '@platen/formats/bytes/open-file-sync';
import { parseClassColours, parseClassNames, type ClassColour } from '@platen/formats/image/class-names';
import { parseSideFile, parseWorldFile, worldFileEndings } from '@platen/formats/image/world-file';
import type { GeoTransform } from '@platen/formats/geotiff/geo-transform';
import { JobFailure, type JobInput } from '../job-type.ts';

/** What the files beside an image say of its place. */
export interface SidecarPlace {
  readonly crs: string | undefined;
  readonly transform: GeoTransform | undefined;
  /** The ending of a world file without a place in it. */
  readonly damaged?: string;
  /** Names of the numbers of the first band. */
  readonly classNames?: readonly ClassName[];
  /** Their colours. */
  readonly classColours?: ReadonlyMap<number, ClassColour>;
}

export type ClassName = readonly [value: number, name: string];

const maxBytes = 1 << 20;
const sidecarEnding =
  /\.(aux\.xml|prj|tfw|tifw|tiffw|jgw|jpgw|jpegw|pgw|pngw|wpw|webpw|j2w|jp2w|jkw|j2kw|jcw|j2cw|jxw|jpxw|jfw|jpfw|wld|ovr|msk|qpj|cpg|vrt)$/i;

/** Files that only say something about others. */
export function isSidecar({ name }: Pick<JobInput, 'name'>): boolean {
  return sidecarEnding.test(name);
}

/**
 * The files that are no sidecars, with theirs as `related`, by their ending: `photo.jpg.aux.xml` and `photo.jgw`
 * are `aux.xml` and `jgw` of `photo.jpg`.
 */
export function joinSidecars(files: readonly JobInput[]): JobInput[] {
  const byBase = Map.groupBy(files.filter(isSidecar), ({ name }) =>
    name.replace(sidecarEnding, '').toLowerCase(),
  );
  const sheets = files.filter((file) => !isSidecar(file));
  refuseAmbiguous(sheets, byBase);
  return sheets.map((sheet) => {
    const name = sheet.name.toLowerCase();
    const sidecars = [stemOf(name), name].flatMap((base) => byBase.get(base) ?? []);
    return sidecars.length === 0 ? sheet : withFiles(sheet, sidecars);
  });
}

/** Of inputs with one name, it is not known which sidecar belongs to which. @throws JobFailure */
function refuseAmbiguous(
  sheets: readonly JobInput[],
  byBase: ReadonlyMap<string, readonly JobInput[]>,
): void {
  const names = new Set<string>();
  for (const { name } of sheets) {
    const lower = name.toLowerCase();
    if (names.has(lower) && [stemOf(lower), lower].some((base) => byBase.has(base)))
      throw new JobFailure(
        'invalidOption',
        `Several inputs are called ${name}, and it is not clear which of the files with its name says where each is. Rename them, or put them into folders of their own.`,
      );
    names.add(lower);
  }
}

function withFiles({ content, ...sheet }: JobInput, sidecars: readonly JobInput[]): JobInput {
  const own = sidecars.map(({ name, path }) => [sidecarEnding.exec(name)![1]!.toLowerCase(), path]);
  const related = { ...Object.fromEntries(own), ...sheet.related };
  const contents = [content, ...sidecars.map((side) => side.content)];
  const isKnown = contents.every((one) => one !== undefined);
  return { ...sheet, related, ...(isKnown && { content: contents.join(' ') }) };
}

function stemOf(name: string): string {
  return name.replace(/\.[^./]*$/, '');
}

/** From GDAL's `.aux.xml`, a world file and a .prj beside the image. */
export async function readSidecarPlace({ name, related = {} }: JobInput): Promise<SidecarPlace> {
  const textOf = async (ending: string): Promise<string | undefined> => {
    const path = related[ending];
    return path === undefined ? undefined : readText(path);
  };
  const side = await textOf('aux.xml');
  const found = side === undefined ? undefined : parseSideFile(side);
  const names = side === undefined ? [] : [...parseClassNames(side)];
  const crs = found?.crs ?? ((await textOf('prj'))?.trim() || undefined);
  const classColours = parseClassColours(side ?? '');
  const said = {
    crs,
    ...(names.length > 0 && { classNames: names }),
    ...(classColours.size > 0 && { classColours }),
  };
  if (found?.transform) return { ...said, transform: found.transform };
  let damaged: string | undefined;
  for (const ending of worldFileEndings(name)) {
    const text = await textOf(ending);
    const transform = text === undefined ? undefined : parseWorldFile(text);
    if (transform) return { ...said, transform };
    if (text !== undefined) damaged ??= ending;
  }
  return { ...said, transform: undefined, ...(damaged !== undefined && { damaged }) };
}

async function readText(path: string): Promise<string> {
  const file = openFileSync(path);
  try {
    return new TextDecoder().decode(await file.read(0, Math.min(file.size, maxBytes)));
  } finally {
    await file.close();
  }
}
