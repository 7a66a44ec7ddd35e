import type { Inspecting, Finding, Subject } from '../inspector.ts';
import type { Family } from '../inspectors.ts';
import { chooseMembers, type ListedFile } from './choose-members.ts';
import { explainNothing } from './explain-nothing.ts';
import { askMembers, type Asked } from './ask-members.ts';
import { folderWithin } from './parts-of-subject.ts';

export interface LookingInto {
  readonly families: readonly Family[];
  readonly inspecting: Inspecting;
  readonly isZip: boolean;
}

const mostListed = 5000;
const mostFolders = 4;
/** Files that make a folder one thing. */
const marker =
  /(?:^|\/)(?:tileset\.json|3dSceneLayer\.json(?:\.gz)?|layer\.json|tilemapresource\.xml|metadata\.json)$/i;

/** undefined: it holds vectors, or what only those who come later can explain. */
export async function inspectFolder(folder: Subject, looking: LookingInto): Promise<Finding | undefined> {
  const files = await folder.list(mostListed);
  const whole = await asWhole(folder, files, looking);
  if (whole !== undefined) return whole;
  const members = chooseMembers(files);
  const asked = await askMembers(folder, members, looking);
  if (asked.finding !== undefined) {
    tellOthers(folder, files.length, { asked, looking });
    return asked.finding;
  }
  // that and why it cannot be read, those who read vectors say
  if (asked.hasVectors || (!looking.isZip && files.length === 0)) return undefined;
  explainNothing(folder, files, { titles: asked.titles, looking });
  return { layers: [], uses: [] };
}

/** A tileset, a scene layer and the like, at the top or in a folder below. */
async function asWhole(
  folder: Subject,
  files: readonly ListedFile[],
  { families, inspecting, isZip }: LookingInto,
): Promise<Finding | undefined> {
  const [top] = files.map(({ name }) => name.slice(0, name.indexOf('/') + 1));
  const isAllIn = top !== undefined && top !== '' && files.every(({ name }) => name.startsWith(top));
  const below = files
    .filter(({ name }) => marker.test(name))
    .map(({ name }) => name.slice(0, name.lastIndexOf('/') + 1));
  const depth = (path: string) => path.split('/').length;
  const folders = [...new Set(isAllIn ? [top, ...below] : below)]
    .toSorted((a, b) => depth(a) - depth(b))
    .slice(0, mostFolders);
  // of a folder itself all have been asked before
  const prefixes = isZip
    ? ['', ...folders.filter((path) => path !== '')]
    : folders.filter((path) => path !== '');
  for (const prefix of prefixes) {
    for (const { load } of families) {
      const inspector = await load();
      const finding = await inspector(folderWithin(folder, prefix), inspecting);
      if (finding !== undefined) return finding;
    }
  }
  return undefined;
}

function tellOthers(
  { name }: Subject,
  files: number,
  { asked, looking }: { asked: Asked; looking: LookingInto },
): void {
  const { others } = asked;
  const left = files - asked.looked;
  if (asked.recognised < 2 && left === 0 && others.length === 0) return;
  const besides = others.length > 0 ? `; of another kind there is ${others.slice(0, 5).join(', ')}` : '';
  const more = left > 0 ? `, and ${left} were not looked into` : '';
  const what = looking.isZip ? 'is an archive of several files' : 'is a folder of several files';
  looking.inspecting.issues.add(
    'severalFiles',
    `${name} ${what}: ${asked.recognised} of ${files} are told of here${besides}${more}.`,
  );
}
