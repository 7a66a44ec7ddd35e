import type { InspectionReport } from '@platen/contract/inspect';
import { BytesError } from '@platen/formats/bytes/bytes';
import { headBytes, recognise } from '@platen/formats/open/recognise';
import type { Recognised } from '@platen/formats/open/recognised';
import type { Finding, Subject } from '../inspector.ts';
import { createIssues, type Issues } from '../issues.ts';
import type { ListedFile } from './choose-members.ts';
import type { FolderContext } from './folder-context.ts';
import { fileWithin } from './parts-of-subject.ts';

export interface MemberFindings {
  readonly finding: Finding | undefined;
  /** Number of files of the same kind as the finding. */
  readonly recognised: number;
  /** Files of another kind, such as `plan.gml (CityGML)`; images next to a model do not count. */
  readonly others: readonly string[];
  /** Number of files that were inspected before the time or the limit was reached. */
  readonly inspected: number;
  readonly hasVectors: boolean;
  /** Titles of files that are not geodata, such as `a PDF document`. */
  readonly titles: ReadonlyMap<string, string>;
}

interface InspectedFile {
  readonly finding: Finding;
  readonly issues: Issues;
  readonly name: string;
}

const maxLayers = 100;
const maxDescribed = 12;
/** Kinds that take precedence over vector data: other files in the archive belong to them. */
const primaryKinds = new Set<InspectionReport['kind']>([
  'cityModel',
  'mesh',
  'tileset',
  'sceneLayer',
  'pointCloud',
  'terrain',
  'tiles',
]);

/** Runs all families on the files of a folder. The finding is of the kind that most files have. */
export async function inspectMembers(
  folder: Subject,
  members: readonly ListedFile[],
  folderContext: FolderContext,
): Promise<MemberFindings> {
  const found: InspectedFile[] = [];
  const titles = new Map<string, string>();
  let hasVectors = false;
  let inspected = 0;
  for (const { name } of members) {
    if (folderContext.context.isOver()) break;
    inspected++;
    const bytes = await folder.find(name);
    if (bytes === undefined) continue;
    const file =
      found.length < maxDescribed
        ? await inspectMember(fileWithin(folder, name, bytes), folderContext)
        : undefined;
    if (file !== undefined) {
      found.push({ ...file, name });
      continue;
    }
    const recognised = await recogniseMember(bytes, name);
    if (recognised?.is === 'other') titles.set(name, recognised.title);
    else if (recognised?.is === 'archive') titles.set(name, `a ${recognised.packing} archive`);
    else if (recognised !== undefined) hasVectors = true;
    // the vector inspector looks into gzip files
    hasVectors ||= recognised?.is === 'archive' && recognised.packing === 'gzip';
  }
  const chosen = primaryFiles(found, hasVectors);
  for (const { issues } of chosen)
    for (const { code, message, count } of issues.list())
      folderContext.context.issues.add(code, message, count);
  return {
    finding: merge(chosen, folderContext),
    recognised: chosen.length,
    others: found
      .filter((file) => !chosen.includes(file) && primaryKinds.has(file.finding.kind))
      .map(({ name, finding }) => `${name.slice(0, 100)} (${finding.formatTitle ?? finding.format})`),
    inspected,
    hasVectors,
    titles,
  };
}

async function recogniseMember(
  bytes: NonNullable<Subject['bytes']>,
  name: string,
): Promise<Recognised | undefined> {
  try {
    return recognise(Buffer.from(await bytes.read(0, Math.min(headBytes, bytes.size))), name);
  } catch (error) {
    if (error instanceof BytesError) return undefined;
    throw error;
  }
}

async function inspectMember(
  subject: Subject,
  { families, context }: FolderContext,
): Promise<Omit<InspectedFile, 'name'> | undefined> {
  for (const { load } of families) {
    const issues = createIssues();
    const inspector = await load();
    const finding = await inspector(subject, { ...context, issues });
    if (finding?.format !== undefined) return { finding, issues };
  }
  return undefined;
}

/** Images next to a model are its textures; next to vector data they are legends. */
function primaryFiles(found: readonly InspectedFile[], hasVectors: boolean): InspectedFile[] {
  const models = found.filter(({ finding }) => primaryKinds.has(finding.kind));
  const candidates = models.length > 0 || hasVectors ? models : found;
  const counts = new Map<string, number>();
  for (const { finding } of candidates) counts.set(finding.format!, (counts.get(finding.format!) ?? 0) + 1);
  const [format] = [...counts].toSorted((a, b) => b[1] - a[1])[0] ?? [];
  return candidates.filter(({ finding }) => finding.format === format);
}

function merge(chosen: readonly InspectedFile[], { isZip, context }: FolderContext): Finding | undefined {
  const [first] = chosen;
  if (first === undefined) return undefined;
  const layers = chosen.flatMap(({ finding }) => finding.layers).slice(0, maxLayers);
  const { uses } = first.finding;
  // a datasource needs a single file that is not in an archive
  const kept = isZip || chosen.length > 1 ? uses.filter(({ kind }) => kind === 'job') : uses;
  if (isZip && uses.some(({ kind, confidence }) => kind === 'datasource' && confidence >= 0.5))
    context.issues.add(
      'unpackFirst',
      `${first.name} could be shown as it is if it were not in an archive. Unpack it, and upload the file itself.`,
    );
  return { ...first.finding, layers, uses: kept };
}
