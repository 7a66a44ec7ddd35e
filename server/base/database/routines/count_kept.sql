-- Adds kept bytes to the usage of the project: revisions, trash and files of jobs.
create or replace function count_kept() returns trigger language plpgsql as $$
begin
  insert into kept_usage as k (project_id, kind, objects, bytes)
    select project_id, tg_argv[0], count(*), sum(size) from added group by project_id order by project_id
  on conflict (project_id, kind) do update set objects = k.objects + excluded.objects, bytes = k.bytes + excluded.bytes;
  return null;
end $$;

create or replace trigger object_revision_counted after insert on object_revision
  referencing new table as added for each statement execute function count_kept('revisions');
create or replace trigger trash_object_counted after insert on trash_object
  referencing new table as added for each statement execute function count_kept('trash');
create or replace trigger job_file_counted after insert on job_file
  referencing new table as added for each statement execute function count_kept('jobFiles');
create or replace trigger trash_job_file_counted after insert on trash_job_file
  referencing new table as added for each statement execute function count_kept('trash');
create or replace trigger app_picture_counted after insert on app_picture
  referencing new table as added for each statement execute function count_kept('pictures');
create or replace trigger trash_app_picture_counted after insert on trash_app_picture
  referencing new table as added for each statement execute function count_kept('trash');
