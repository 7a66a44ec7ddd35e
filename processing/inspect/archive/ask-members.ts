import type { InspectionReport } from '@platen/contract/inspect';
import { BytesError } from '@platen/formats/bytes/bytes';
import { headBytes, recognise } from '@platen/formats/source/recognise';
import type { Recognised } from '@platen/formats/source/recognised';
import type { Finding, Subject } from '../inspector.ts';
import { createIssues, type Issues } from '../issues.ts';
import type { ListedFile } from './choose-members.ts';
import type { LookingInto } from './inspect-folder.ts';
import { fileWithin } from './parts-of-subject.ts';

export interface Asked {
  readonly finding: Finding | undefined;
  /** Files that are of the kind of the finding. */
  readonly recognised: number;
  /** Files of another kind, as `plan.gml (CityGML)`; pictures beside a model are none. */
  readonly others: readonly string[];
  /** Files that were looked into: for more the time was too short, or they are too many. */
  readonly looked: number;
  readonly hasVectors: boolean;
  /** What the files are that are no data, as `a PDF document`. */
  readonly titles: ReadonlyMap<string, string>;
}

interface FoundFile {
  readonly finding: Finding;
  readonly issues: Issues;
  readonly name: string;
}

const mostLayers = 100;
const mostDescribed = 12;
/** Kinds before which vectors stand back: what else is in an archive belongs to them. */
const strong = new Set<InspectionReport['kind']>([
  'cityModel',
  'mesh',
  'tileset',
  'sceneLayer',
  'pointCloud',
  'terrain',
  'tiles',
]);

/** Asks all families about files of a folder; what the most of them are, it is. */
export async function askMembers(
  folder: Subject,
  members: readonly ListedFile[],
  looking: LookingInto,
): Promise<Asked> {
  const found: FoundFile[] = [];
  const titles = new Map<string, string>();
  let hasVectors = false;
  let looked = 0;
  for (const { name } of members) {
    if (looking.inspecting.isOver()) break;
    looked++;
    const bytes = await folder.find(name);
    if (bytes === undefined) continue;
    const file =
      found.length < mostDescribed ? await ask(fileWithin(folder, name, bytes), looking) : undefined;
    if (file !== undefined) {
      found.push({ ...file, name });
      continue;
    }
    const recognised = await recogniseMember(bytes, name);
    if (recognised?.is === 'other') titles.set(name, recognised.title);
    else if (recognised?.is === 'archive') titles.set(name, `a ${recognised.packing} archive`);
    else if (recognised !== undefined) hasVectors = true;
    // what is in it, those who read vectors find out
    hasVectors ||= recognised?.is === 'archive' && recognised.packing === 'gzip';
  }
  const chosen = strongest(found, hasVectors);
  for (const { issues } of chosen)
    for (const { code, message, count } of issues.list()) looking.inspecting.issues.add(code, message, count);
  return {
    finding: merge(chosen, looking),
    recognised: chosen.length,
    others: found
      .filter((file) => !chosen.includes(file) && strong.has(file.finding.kind))
      .map(({ name, finding }) => `${name.slice(0, 100)} (${finding.formatTitle ?? finding.format})`),
    looked,
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

async function ask(
  subject: Subject,
  { families, inspecting }: LookingInto,
): Promise<Omit<FoundFile, 'name'> | undefined> {
  for (const { load } of families) {
    const issues = createIssues();
    const inspector = await load();
    const finding = await inspector(subject, { ...inspecting, issues });
    if (finding?.format !== undefined) return { finding, issues };
  }
  return undefined;
}

/** Images beside a model are its textures, and beside vectors a legend. */
function strongest(found: readonly FoundFile[], hasVectors: boolean): FoundFile[] {
  const models = found.filter(({ finding }) => strong.has(finding.kind));
  const candidates = models.length > 0 || hasVectors ? models : found;
  const counts = new Map<string, number>();
  for (const { finding } of candidates) counts.set(finding.format!, (counts.get(finding.format!) ?? 0) + 1);
  const [format] = [...counts].toSorted((a, b) => b[1] - a[1])[0] ?? [];
  return candidates.filter(({ finding }) => finding.format === format);
}

function merge(chosen: readonly FoundFile[], { isZip, inspecting }: LookingInto): Finding | undefined {
  const [first] = chosen;
  if (first === undefined) return undefined;
  const layers = chosen.flatMap(({ finding }) => finding.layers).slice(0, mostLayers);
  const { uses } = first.finding;
  // a datasource is one file, and none that is packed
  const kept = isZip || chosen.length > 1 ? uses.filter(({ kind }) => kind === 'job') : uses;
  if (isZip && uses.some(({ kind, confidence }) => kind === 'datasource' && confidence >= 0.5))
    inspecting.issues.add(
      'unpackFirst',
      `${first.name} could be shown as it is, were it not in an archive: unpack it, and upload the file itself.`,
    );
  return { ...first.finding, layers, uses: kept };
}
