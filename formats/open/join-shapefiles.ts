import { stat } from 'node:fs/promises';
import { recogniseFile, type RecognisedFile } from './unpack-upload.ts';

const endings = ['dbf', 'shx', 'prj', 'cpg'] as const;

/** Gives each .shp of an archive the files of its name, in whatever case, and takes out those that only describe it. */
export function joinShapefiles(members: readonly RecognisedFile[]): RecognisedFile[] {
  const byName = new Map(members.map((member) => [member.file.name.toLowerCase(), member.file]));
  const described = new Set<string>();
  const joined = members.map((member) => {
    const { file, recognised } = member;
    if (recognised.is !== 'data' || recognised.format !== 'shapefile') return member;
    const base = file.name.toLowerCase().replace(/\.shp$/, '');
    described.add(`${base}.xml`).add(`${base}.shp.xml`);
    const related: Record<string, string> = {};
    for (const ending of endings) {
      const path = byName.get(`${base}.${ending}`)?.path;
      if (path !== undefined) related[ending] = path;
    }
    return { recognised, file: { ...file, related } };
  });
  return joined.filter(({ file }) => !described.has(file.name.toLowerCase()));
}

/** Puts the .shp first if one of its companions was uploaded as the main file. */
export async function putShpFirst(member: RecognisedFile): Promise<RecognisedFile> {
  const { file, recognised } = member;
  const { shp, ...others } = file.related;
  if (shp === undefined || recognised.is === 'data') return member;
  const ending = /\.([^.]+)$/.exec(file.name)?.[1]?.toLowerCase() ?? '';
  const { size } = await stat(shp);
  const related = { ...others, [ending]: file.path };
  return recogniseFile({
    ...file,
    path: shp,
    size,
    related,
    name: file.name.replace(/(?<![^.])[^.]+$/, 'shp'),
  });
}
