import type { FreeForm } from '@platen/contract/schema';
import type { Json, StampColumns } from '../database/tables.ts';

export interface BucketTable extends StampColumns {
  id: string;
  project_id: string;
  name: string;
  description: string;
  properties: Json<FreeForm>;
}

export interface ObjectTable extends Omit<StampColumns, 'revision'> {
  project_id: string;
  bucket_id: string;
  key: string;
  blob_id: string;
  size: number;
  sha256: Buffer;
  content_type: string;
}

export interface BlobGarbageTable {
  blob_id: string;
  since: Date;
}

export interface BucketTables {
  data_bucket: BucketTable;
  object: ObjectTable;
  blob_garbage: BlobGarbageTable;
}
