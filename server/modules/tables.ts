import type { FreeForm } from '@platen/contract/schema';
import type { Json, StampColumns } from '../database/tables.ts';

export interface ModuleTable extends StampColumns {
  id: string;
  project_id: string;
  name: string;
  description: string;
  content: Json<FreeForm>;
  properties: Json<FreeForm>;
  member_id: string;
}

export interface ModuleDatasourceTable {
  project_id: string;
  module_id: string;
  datasource_id: string;
}

export interface AppTable extends StampColumns {
  id: string;
  project_id: string;
  name: string;
  description: string;
  map_version: string;
  properties: Json<FreeForm>;
  publish_task_ids: string[];
  is_public: boolean;
  member_id: string;
}

export interface AppModuleTable {
  project_id: string;
  app_id: string;
  position: number;
  module_id: string;
}

export interface AppGuestTable {
  project_id: string;
  app_id: string;
  user_id: string;
  created_at: Date;
  created_by: string;
}

export interface ModuleTables {
  module: ModuleTable;
  module_datasource: ModuleDatasourceTable;
  app: AppTable;
  app_module: AppModuleTable;
  app_guest: AppGuestTable;
}
