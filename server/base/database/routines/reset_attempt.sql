-- Resets what the previous attempt reported when a job begins its next attempt.
create or replace function reset_attempt() returns trigger language plpgsql as $$
begin
  new.rejected := 0;
  return new;
end $$;

create or replace trigger job_begins_anew before update of attempt on job for each row
  when (old.rejected > 0 and new.attempt > old.attempt) execute function reset_attempt();
