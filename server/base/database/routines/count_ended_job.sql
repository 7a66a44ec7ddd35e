-- Counts a job under its new state, and no longer under the old one.
create or replace function count_ended_job() returns trigger language plpgsql as $$
begin
  if new.state not in ('queued', 'running') then
    insert into job_count_change values (new.task_id, new.project_id, new.job_type, new.state, 1);
  end if;
  if old.state not in ('queued', 'running') then
    insert into job_count_change values (old.task_id, old.project_id, old.job_type, old.state, -1);
  end if;
  return null;
end $$;

create or replace trigger job_count_ended after update of state on job for each row
  when (old.state is distinct from new.state and new.task_id is not null
    and not (old.state in ('queued', 'running') and new.state in ('queued', 'running')))
  execute function count_ended_job();
