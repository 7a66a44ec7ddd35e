import type { ProblemDetail } from '@platen/contract/error';
import type { FreeForm } from '@platen/contract/schema';
import type { ColumnType, Generated } from 'kysely';
import type { Json, StampColumns } from './identity.ts';

/** What was odd about it when it was looked at last; null: a module of the app was changed since. */
type Warnings = ColumnType<ProblemDetail[] | null, string | undefined, string>;

export interface ModuleTable extends StampColumns {
  id: string;
  project_id: string;
  name: string;
  description: string;
  content: Json<FreeForm>;
  properties: Json<FreeForm>;
  warnings: Warnings;
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
  slug: Generated<string | null>;
  frame_origins: Generated<string[]>;
  release_id: Generated<string | null>;
  public_from: Generated<Date | null>;
  public_until: Generated<Date | null>;
  last_release: Generated<number>;
  public_release_id: Generated<string | null>;
  public_set_by: Generated<string | null>;
  warnings: Warnings;
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
