import type { JobState } from '@platen/contract/jobs';
import type { ProjectEvent } from '@platen/contract/events';

interface ChangeColumns {
  project_id: string;
  type: ProjectEvent['type'];
  action: ProjectEvent['action'];
  resource_id: string;
  revision: number | null;
  by: string | null;
  owner_id: string | null;
  task_id: string | null;
  state: JobState | null;
  count: number | null;
  at: Date;
}

export interface ProjectChangeTable extends ChangeColumns {
  id: number;
}

export interface ProjectEventTable extends ChangeColumns {
  position: number;
}

export interface EventTables {
  project_change: ProjectChangeTable;
  project_event: ProjectEventTable;
  event_horizon: { position: number };
}
