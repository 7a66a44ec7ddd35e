-- Records an event for a job whose state has changed. Progress records none: clients that follow a job read it.
create or replace function record_job_changed() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, revision, by, task_id, state)
    values (new.project_id, 'job', 'changed', new.id, new.revision, new.updated_by, new.task_id, new.state);
  return null;
end $$;

create or replace trigger job_told_changed after update on job for each row
  when (new.task_id is not null and (old.state <> new.state or old.abort_requested <> new.abort_requested
    or old.is_held <> new.is_held or old.not_before is distinct from new.not_before))
  execute function record_job_changed();
