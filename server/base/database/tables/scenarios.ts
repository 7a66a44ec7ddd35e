import type { FreeForm } from '@platen/contract/schema';
import type { Json, StampColumns } from './identity.ts';

export interface ScenarioTable extends StampColumns {
  id: string;
  project_id: string;
  name: string;
  description: string;
  properties: Json<FreeForm>;
  app_id: string | null;
  publish_task_ids: string[];
  member_id: string;
}

export interface ScenarioModuleTable {
  project_id: string;
  scenario_id: string;
  position: number;
  module_id: string;
}

export interface ScenarioTables {
  scenario: ScenarioTable;
  scenario_module: ScenarioModuleTable;
}
