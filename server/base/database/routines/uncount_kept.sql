-- Subtracts kept bytes that were removed from the usage of the project.
create or replace function uncount_kept() returns trigger language plpgsql as $$
begin
  update kept_usage k set objects = k.objects - g.objects, bytes = k.bytes - g.bytes
    from (select project_id, count(*) as objects, sum(size) as bytes from gone group by project_id) g
    where k.project_id = g.project_id and k.kind = tg_argv[0];
  return null;
end $$;

create or replace trigger object_revision_uncounted after delete on object_revision
  referencing old table as gone for each statement execute function uncount_kept('revisions');
create or replace trigger trash_object_uncounted after delete on trash_object
  referencing old table as gone for each statement execute function uncount_kept('trash');
create or replace trigger job_file_uncounted after delete on job_file
  referencing old table as gone for each statement execute function uncount_kept('jobFiles');
create or replace trigger trash_job_file_uncounted after delete on trash_job_file
  referencing old table as gone for each statement execute function uncount_kept('trash');
create or replace trigger app_picture_uncounted after delete on app_picture
  referencing old table as gone for each statement execute function uncount_kept('pictures');
create or replace trigger trash_app_picture_uncounted after delete on trash_app_picture
  referencing old table as gone for each statement execute function uncount_kept('trash');
