-- Counts created jobs by task and state. Rows are only added, so that jobs of one task never wait for each other.
create or replace function count_created_jobs() returns trigger language plpgsql as $$
begin
  insert into job_count_change (task_id, project_id, job_type, state, jobs)
    select task_id, project_id, job_type, 'any', count(*) from added where task_id is not null group by 1, 2, 3
    union all
    select task_id, project_id, job_type, state, count(*) from added
      where task_id is not null and state not in ('queued', 'running') group by 1, 2, 3, 4;
  return null;
end $$;

create or replace trigger job_count_added after insert on job
  referencing new table as added for each statement execute function count_created_jobs();
