import type { Feature } from 'geojson';
import { api } from '../../api/api.ts';
import { nullIfMissing } from '../../api/failure.ts';
import { inspectFile } from '../../inspect/use-inspection.ts';
import type { ChosenFile } from '../../inspect/chosen-file.ts';
import { ringOf } from '../../map/bounds.ts';

/** Where the sheets of a file or folder lie, as far as their inspection says it. */
export interface SheetOutlines {
  readonly outlines: readonly Feature[];
  /** Whether something has no place, or could not be inspected. */
  readonly hasUnplaced: boolean;
}

/** More inputs of a task than these are not looked at. */
const maxInputs = 40;

export async function outlinesOf(
  projectId: string,
  files: readonly ChosenFile[],
  signal: AbortSignal,
): Promise<SheetOutlines> {
  const found: SheetOutlines[] = [];
  for (const file of files.slice(0, maxInputs)) found.push(await outlinesOfFile(projectId, file, signal));
  return {
    outlines: found.flatMap(({ outlines }) => outlines),
    hasUnplaced: files.length > maxInputs || found.some(({ hasUnplaced }) => hasUnplaced),
  };
}

async function outlinesOfFile(
  projectId: string,
  file: ChosenFile,
  signal: AbortSignal,
): Promise<SheetOutlines> {
  const { layers } = await inspectFile(projectId, file, signal).catch(nullIfRefused);
  const sheets = layers.some(({ details }) => details?.['sheets'] !== undefined)
    ? await sheetsOfFolder(projectId, file)
    : [];
  if (sheets.length > 0) return { outlines: sheets, hasUnplaced: false };
  const outlines = layers.flatMap(({ name, bbox }) => (bbox ? [outline(name, bbox)] : []));
  return { outlines, hasUnplaced: outlines.length < Math.max(1, layers.length) };
}

/** Inspections keep the outlines of sheets and the gaps between them as a sample. */
async function sheetsOfFolder(
  projectId: string,
  { dataBucketId, dataBucketKey: key }: ChosenFile,
): Promise<readonly Feature[]> {
  const sample = await api
    .getProjectDataBucketObjectSample({ params: { projectId, dataBucketId }, query: { key } })
    .catch(nullIfMissing);
  const features = (sample?.features ?? []) as unknown as Feature[];
  return features.filter(
    ({ geometry, properties }) => geometry?.type === 'Polygon' && properties?.['gap'] === undefined,
  );
}

const outline = (name: string, bbox: readonly number[]): Feature => ({
  type: 'Feature',
  properties: { name },
  geometry: { type: 'Polygon', coordinates: [ringOf(bbox)] },
});

/** What cannot be inspected has no place. */
const nullIfRefused = () => ({ layers: [] });
