import { BytesError } from '@platen/formats/bytes/bytes';
import { openFile } from '@platen/formats/bytes/open-file';
import type { JobContext, JobInput } from '../job-type.ts';
import { emitWarnings, type CountedWarning } from '../kit/warning-counter.ts';
import { cornersOf, crsNamed, readSheetHeader } from './sheet-header.ts';
import { readSidecarPlace } from './sidecars.ts';

/** A sheet that cannot be read, or a part of it. */
interface BrokenSheet {
  readonly name: string;
  readonly message: string;
  /** Longitude and latitude of its corners; undefined: its place is not known. */
  readonly corners: ArrayLike<number> | undefined;
}

/** Sets a sheet aside: it is shown as its outline among the rejects of the job. */
function rejectSheet({ name, message, corners }: BrokenSheet, { reject }: Pick<JobContext, 'reject'>): void {
  const feature = { file: name, reason: message, place: {}, properties: { name } };
  reject('brokenSheet', message, { ...feature, geometry: corners ? polygonOf(corners) : null });
}

function polygonOf(corners: ArrayLike<number>): object {
  const ring = Array.from({ length: corners.length / 2 + 1 }, (_, i) => {
    const at = (i * 2) % corners.length;
    return [corners[at], corners[at + 1]];
  });
  return { type: 'Polygon', coordinates: [ring] };
}

/** Sets an input aside that could not be opened, with the place that its header may say all the same. */
export async function rejectInput(
  input: JobInput,
  message: string,
  context: Pick<JobContext, 'reject'>,
): Promise<void> {
  rejectSheet({ name: input.name, message, corners: await findCorners(input) }, context);
}

async function findCorners(input: JobInput): Promise<Float64Array | undefined> {
  const bytes = await openFile(input.path);
  try {
    const readSidecars = () => readSidecarPlace(input);
    const header = await readSheetHeader({ name: input.name, bytes, readSidecars });
    const crs = crsNamed(input.crs) ?? header?.crs;
    if (!header?.transform || !crs) return undefined;
    const corners = cornersOf({ ...header, transform: header.transform, crs });
    return corners.every(Number.isFinite) ? corners : undefined;
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    return undefined;
  } finally {
    await bytes.close();
  }
}

interface Boxed {
  readonly name: string;
  /** West, south, east, north in degrees. */
  readonly box: readonly [number, number, number, number];
}

/**
 * Reports the warnings of threads. Sheets of which they could not read a part (`unreadableSheet`, with `file` in the
 * example) are set aside, each once.
 */
export function reportThreads(
  warnings: readonly CountedWarning[],
  sheets: readonly Boxed[],
  context: Pick<JobContext, 'warn' | 'reject'>,
): void {
  const broken = new Map<string, string>();
  for (const { code, message, examples } of warnings) {
    if (code !== 'unreadableSheet') continue;
    for (const { file, reason = message } of examples) broken.set(file as string, reason as string);
  }
  emitWarnings(
    warnings.filter(({ code }) => code !== 'unreadableSheet'),
    context.warn,
  );
  rejectBroken(broken, sheets, context);
}

/** Sets sheets aside of which a part cannot be read, each once. @param broken the reasons by names */
export function rejectBroken(
  broken: ReadonlyMap<string, string>,
  sheets: readonly Boxed[],
  context: Pick<JobContext, 'reject'>,
): void {
  for (const { name, box } of sheets) {
    const message = broken.get(name);
    if (message === undefined) continue;
    const [west, south, east, north] = box;
    rejectSheet({ name, message, corners: [west, north, east, north, east, south, west, south] }, context);
  }
}
