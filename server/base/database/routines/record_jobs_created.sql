-- Records an event for each new job of a task. Jobs without a task are in no list.
create or replace function record_jobs_created() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, revision, by, task_id, state)
    select project_id, 'job', 'created', id, revision, updated_by, task_id, state from added where task_id is not null;
  return null;
end $$;

create or replace trigger job_told_created after insert on job referencing new table as added
  for each statement execute function record_jobs_created();
