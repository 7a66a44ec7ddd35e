-- Counts deleted jobs by task and state, as negative numbers.
create or replace function count_deleted_jobs() returns trigger language plpgsql as $$
begin
  insert into job_count_change (task_id, project_id, job_type, state, jobs)
    select task_id, project_id, job_type, 'any', -count(*) from gone where task_id is not null group by 1, 2, 3
    union all
    select task_id, project_id, job_type, state, -count(*) from gone
      where task_id is not null and state not in ('queued', 'running') group by 1, 2, 3, 4;
  return null;
end $$;

create or replace trigger job_count_gone after delete on job
  referencing old table as gone for each statement execute function count_deleted_jobs();
