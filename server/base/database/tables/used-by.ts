export interface TaskReferenceTable {
  project_id: string;
  task_id: string;
  role: 'input' | 'output' | 'target' | 'publish';
  bucket_id: string | null;
  bucket_key: string | null;
  datasource_id: string | null;
  app_id: string | null;
  scenario_id: string | null;
  credential_id: string | null;
}

export interface UsedByTables {
  task_reference: TaskReferenceTable;
}
