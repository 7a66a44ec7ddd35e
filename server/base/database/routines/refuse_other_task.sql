-- Refuses to move a job to another project, task or job type: it is counted under them.
create or replace function refuse_other_task() returns trigger language plpgsql as $$
begin
  raise exception 'a job keeps its project, its task and its type';
end $$;

create or replace trigger job_keeps_task before update of project_id, task_id, job_type on job for each row
  when ((old.project_id, old.task_id, old.job_type) is distinct from (new.project_id, new.task_id, new.job_type))
  execute function refuse_other_task();
