import { rejectsFile } from '@platen/contract/job-files';
import { maxRejectBytes } from '@platen/processing/rejects';
import { rejectCodes } from '@platen/processing/warning-codes';
import { openJobFile } from '../open-job-file.ts';
import { isLeaseLost, withRetry, type JobClient } from '../job-client.ts';
import type { Report } from '../report.ts';
import { rejectLinesOf } from './reject-writer.ts';

/** Reads the features that the job has rejected so far: one complete GeoJSON feature per line. */
export async function readRejects(scratchFolder: string): Promise<Buffer> {
  const path = rejectLinesOf(scratchFolder);
  // the process may have put anything there, so read no more than it may write
  const file = await openJobFile(path).catch(() => undefined);
  if (!file) return Buffer.alloc(0);
  try {
    const stat = await file.stat();
    if (!stat.isFile() || stat.size === 0) return Buffer.alloc(0);
    const bytes = Buffer.allocUnsafeSlow(Math.min(stat.size, maxRejectBytes));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytes.lastIndexOf(10, bytesRead - 1) + 1); // the last line may be incomplete
  } finally {
    await file.close();
  }
}

interface Job {
  readonly client: JobClient;
  readonly jobId: string;
  readonly report: Report;
  readonly signal?: AbortSignal;
}

const maxMs = 60_000;

/**
 * Uploads the rejected features as a file of the job, if there are any. If the service refuses it, for example for
 * lack of space, the log says so and the job ends as usual.
 * @param lines from `readRejects`
 */
export async function uploadRejects(
  lines: Buffer,
  { report, signal = AbortSignal.timeout(maxMs), ...job }: Job,
): Promise<void> {
  try {
    await send(lines, { ...job, report, signal });
  } catch (error) {
    if (signal.aborted || isLeaseLost(error)) return; // the next request reports it
    const message = `The rejected features could not be stored as a file: ${(error as Error).message}`;
    report.log({ at: new Date().toISOString(), level: 'warning', message: message.slice(0, 1000) });
  }
}

async function send(lines: Buffer, { client, jobId, report, signal }: Required<Job>): Promise<void> {
  const warnings = report.allWarnings();
  const codes = new Set<string>(rejectCodes);
  const counts = warnings.filter(({ code }) => codes.has(code)).map(({ code, count }) => [code, count]);
  const shown = countLines(lines);
  const counted = counts.reduce((sum, [, count]) => sum + (count as number), 0);
  const rejected = Math.max(shown, counted); // a killed process may have written more than it has reported
  if (rejected === 0) return;
  const about = { count: rejected, shown, codes: Object.fromEntries(counts) as object };
  const body = collectionOf(lines, about, `${noteOf(about)} See platenReject in the properties of each.`);
  const query = { name: rejectsFile, rejected };
  await withRetry(signal, () => client.putRunnerJobFile({ params: { jobId }, query, body, signal }));
}

function noteOf({ count, shown }: { count: number; shown: number }): string {
  if (shown === count) return `All ${count} features that the job could not use.`;
  return `The first ${shown} of the ${count} features that the job could not use.`;
}

function collectionOf(lines: Buffer, rejected: object, note: string): Buffer<ArrayBuffer> {
  const head = JSON.stringify({
    type: 'FeatureCollection',
    name: 'rejects',
    rejected: { ...rejected, note },
  });
  const pieces: Buffer[] = [Buffer.from(`${head.slice(0, -1)},"features":[\n`)];
  for (let at = 0; at < lines.length;) {
    const end = lines.indexOf(10, at);
    pieces.push(lines.subarray(at, end), comma);
    at = end + 1;
  }
  if (pieces.at(-1) === comma) pieces.pop();
  pieces.push(Buffer.from('\n]}\n'));
  return Buffer.concat(pieces);
}

const comma = Buffer.from(',\n');

function countLines(lines: Buffer): number {
  let count = 0;
  for (let at = lines.indexOf(10); at >= 0; at = lines.indexOf(10, at + 1)) count++;
  return count;
}
