/** The right to act for a job: held by its latest attempt, while the job is running. */
export interface Fence {
  readonly jobId: string;
  readonly attempt: number;
}
