import type { Finding, Subject } from '../inspector.ts';
import { inspectMosaic } from '../mosaic/inspect-mosaic.ts';
import { inspectPointSheets } from '../point-sheets/inspect-point-sheets.ts';
import { chooseMembers, type ListedFile } from './choose-members.ts';
import type { FolderContext } from './folder-context.ts';
import { reportNoData } from './report-no-data.ts';
import { inspectMembers, type MemberFindings } from './inspect-members.ts';
import { folderWithin } from './parts-of-subject.ts';

const maxListed = 50_000;
const maxFolders = 4;
/** Files whose presence makes the folder a single data set. */
const marker =
  /(?:^|\/)(?:tileset\.json|3dSceneLayer\.json(?:\.gz)?|layer\.json|tilemapresource\.xml|metadata\.json)$/i;

/** Returns undefined if the folder contains vector data, or if a later inspector has to explain it. */
export async function inspectFolder(
  folder: Subject,
  folderContext: FolderContext,
): Promise<Finding | undefined> {
  const files = await folder.list(maxListed);
  const whole = await inspectAsWhole(folder, files, folderContext);
  if (whole !== undefined) return whole;
  const { context } = folderContext;
  // images beside points give them colours
  const sheets =
    (await inspectPointSheets(folder, files, context)) ?? (await inspectMosaic(folder, files, context));
  if (sheets !== undefined) return sheets;
  const members = chooseMembers(files);
  const findings = await inspectMembers(folder, members, folderContext);
  if (findings.finding !== undefined) {
    reportOtherFiles(folder, files.length, { findings, folderContext });
    return findings.finding;
  }
  // The vector inspector explains what is wrong.
  if (findings.hasVectors || (!folderContext.isZip && files.length === 0)) return undefined;
  reportNoData(folder, files, { titles: findings.titles, folderContext });
  return { layers: [], uses: [] };
}

/** Inspects the folder, or one of its subfolders, as a tileset, a scene layer or another multi-file format. */
async function inspectAsWhole(
  folder: Subject,
  files: readonly ListedFile[],
  { families, context, isZip }: FolderContext,
): Promise<Finding | undefined> {
  const [top] = files.map(({ name }) => name.slice(0, name.indexOf('/') + 1));
  const isAllIn = top !== undefined && top !== '' && files.every(({ name }) => name.startsWith(top));
  const below = files
    .filter(({ name }) => marker.test(name))
    .map(({ name }) => name.slice(0, name.lastIndexOf('/') + 1));
  const depth = (path: string) => path.split('/').length;
  const folders = [...new Set(isAllIn ? [top, ...below] : below)]
    .toSorted((a, b) => depth(a) - depth(b))
    .slice(0, maxFolders);
  // The inspectors have already seen a real folder's root, but not that of a zip file.
  const prefixes = isZip
    ? ['', ...folders.filter((path) => path !== '')]
    : folders.filter((path) => path !== '');
  for (const prefix of prefixes) {
    for (const { load } of families) {
      const inspector = await load();
      const finding = await inspector(folderWithin(folder, prefix), context);
      if (finding !== undefined) return finding;
    }
  }
  return undefined;
}

function reportOtherFiles(
  { name }: Subject,
  files: number,
  { findings, folderContext }: { findings: MemberFindings; folderContext: FolderContext },
): void {
  const { others } = findings;
  const left = files - findings.inspected;
  if (findings.recognised < 2 && left === 0 && others.length === 0) return;
  const besides = others.length > 0 ? `; files of another kind: ${others.slice(0, 5).join(', ')}` : '';
  const more = left > 0 ? `; ${left} were not inspected` : '';
  const what = folderContext.isZip ? 'is an archive of several files' : 'is a folder of several files';
  folderContext.context.issues.add(
    'severalFiles',
    `${name} ${what}: this report covers ${findings.recognised} of ${files}${besides}${more}.`,
  );
}
