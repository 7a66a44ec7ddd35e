-- Ends the running phase of an attempt when the attempt ends, however it ends.
create or replace function end_operations() returns trigger language plpgsql as $$
begin
  update job_operation set end_time = greatest(start_time, new.updated_at),
    state = case when new.state not in ('queued', 'running') then new.state
      when new.failures > old.failures then 'failed' else 'aborted' end
  where job_id = old.id and attempt = old.attempt and state = 'running';
  return null;
end $$;

create or replace trigger job_attempt_ended after update of state, attempt on job for each row
  when (old.progress is not null and old.state = 'running'
    and (new.state <> 'running' or new.attempt <> old.attempt))
  execute function end_operations();
