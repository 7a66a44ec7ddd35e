import type { BundleFile } from '@platen/contract/runner-bundle';
import type { Report } from '../report.ts';
import type { Plan, FileUpload } from './compare.ts';
import type { Records } from './records.ts';

export interface ByteCount {
  /** Adds bytes; negative if an upload restarts. */
  readonly add: (bytes: number) => void;
  readonly done: () => number;
}

/** Reports the bytes read from the service as progress. */
export function countBytes(send: readonly FileUpload[], report: Report): ByteCount {
  const total = send.reduce((sum, { file }) => sum + (file.size ?? 0), 0);
  let done = 0;
  const progress = () =>
    report.progress({ phase: 'upload', done, total: Math.max(total, done), unit: 'bytes' });
  if (send.length > 0) progress();
  return {
    add(bytes) {
      done += bytes;
      progress();
    },
    done: () => done,
  };
}

/** Logs that everything is published, and the speed. */
export function reportEnd(report: Report, address: string, { done }: ByteCount, ms: number): void {
  const seconds = Math.max(ms, 1) / 1000;
  const megabytes = (bytes: number) => `${(bytes / 1_000_000).toPrecision(3)} MB`;
  const message = `${address}: published. Sent ${megabytes(done())} in ${seconds.toPrecision(3)} s, ${megabytes(done() / seconds)}/s.`;
  report.log({ at: new Date().toISOString(), level: 'info', message });
}

interface PublishingPlan {
  readonly plan: Plan;
  readonly records: Records;
  readonly files: readonly BundleFile[];
  readonly address: string;
}

/** Logs the planned uploads and removals. */
export function reportPlan(report: Report, { files, records, plan, address }: PublishingPlan): void {
  const { unchanged, remove, tamperedWith } = plan;
  const log = (message: string) => report.log({ at: new Date().toISOString(), level: 'info', message });
  if (records.damaged)
    log(`The records of earlier runs at ${address} cannot be read. All files are sent again.`);
  else if (records.journal.size > 0) log('An earlier run was interrupted. This run resumes it.');
  if (tamperedWith > 0)
    log(`${tamperedWith} files at ${address} were changed or removed by others. They are sent again.`);
  log(
    `${address}: ${files.length} files, ${files.length - unchanged} to send, ${unchanged} unchanged; ${remove.length} former files to remove.`,
  );
}
