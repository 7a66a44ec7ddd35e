-- Records an event for each deleted job, unless the whole project was deleted.
create or replace function record_jobs_deleted() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, by, task_id)
    select project_id, 'job', 'deleted', id, deleting_user(), task_id from gone
    where task_id is not null and exists (select from project p where p.id = gone.project_id);
  return null;
end $$;

create or replace trigger job_told_deleted after delete on job referencing old table as gone
  for each statement execute function record_jobs_deleted();
