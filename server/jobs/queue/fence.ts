/** Who may act for a job: the holder of its newest attempt, for as long as the job runs. */
export interface Fence {
  readonly jobId: string;
  readonly attempt: number;
}
