export interface ReservationTable {
  id: string;
  project_id: string;
  bucket_id: string | null;
  bytes: number;
  objects: number;
  upload_id: string | null;
  job_id: string | null;
  /** 9999-12-31: as long as what it is for. */
  expires_at: Date;
}

export interface UsageTables {
  reservation: ReservationTable;
}
