/** The report of a publishing job; jobs of earlier versions list no files. */
export interface PublishReport {
  readonly address: string;
  /** The path, if the destination is a folder of the server. */
  readonly folder?: string;
  readonly files: number;
  readonly bytes: number;
  readonly uploaded: number;
  readonly removed: number;
  readonly uploadedFiles: readonly string[];
  readonly removedFiles: readonly string[];
}

export function publishReportOf(
  report: Readonly<Record<string, unknown>> | undefined,
): PublishReport | undefined {
  return Array.isArray(report?.['uploadedFiles']) ? (report as unknown as PublishReport) : undefined;
}
