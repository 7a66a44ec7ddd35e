import type { FreeForm } from '@platen/contract/schema';
import type { Generated } from 'kysely';
import type { Json, StampColumns } from './identity.ts';

export interface DatasourceTable extends StampColumns {
  id: string;
  project_id: string;
  name: string;
  description: string;
  type: string;
  type_properties: Json<FreeForm>;
  source_properties: Json<FreeForm>;
  bucket_id: string | null;
  bucket_key: string | null;
  served_folder: string | null;
  bbox: number[] | null;
  properties: Json<FreeForm>;
  job_ids: string[];
  publish_task_ids: string[];
  data_revision: Generated<number>;
  former_names: Generated<string[]>;
  data_updated_at: Date;
  data_updated_by: string;
}

export interface DatasourceTables {
  datasource: DatasourceTable;
}
