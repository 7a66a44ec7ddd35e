-- From here on functions and triggers are in routines/, one file each, under plain names: those of old names go, with
-- their triggers, and the files create them again in the same run.
drop function if exists let_go_of_deleted cascade;
drop function if exists let_go_of_replaced cascade;
drop function if exists make_root cascade;
drop function if exists count_added cascade;
drop function if exists count_gone cascade;
drop function if exists count_content cascade;
drop function if exists keep_replaced cascade;
drop function if exists note_overwritten cascade;
drop function if exists note_added cascade;
drop function if exists count_kept_gone cascade;
drop function if exists object_gone cascade;
drop function if exists trash_object_gone cascade;
drop function if exists row_gone cascade;
drop function if exists put_back cascade;
drop function if exists count_stored cascade;
drop function if exists count_removed cascade;
drop function if exists let_project_take_turns cascade;
drop function if exists hold_without_outputs cascade;
drop function if exists job_file_gone cascade;
drop function if exists trash_job_file_gone cascade;
drop function if exists begin_anew cascade;
drop function if exists who_deletes cascade;
drop function if exists tell_created cascade;
drop function if exists tell_changed cascade;
drop function if exists tell_deleted cascade;
drop function if exists tell_project cascade;
drop function if exists tell_member cascade;
drop function if exists tell_member_gone cascade;
drop function if exists tell_job_created cascade;
drop function if exists tell_job_changed cascade;
drop function if exists tell_job_deleted cascade;
drop function if exists tell_objects_created cascade;
drop function if exists tell_objects_changed cascade;
drop function if exists tell_objects_deleted cascade;
drop function if exists release_held cascade;
drop function if exists count_new_jobs cascade;
drop function if exists count_gone_jobs cascade;
drop function if exists tell_release_created cascade;
drop function if exists app_picture_gone cascade;
drop function if exists trash_app_picture_gone cascade;
drop function if exists forget_bundle_content cascade;

-- The routines that this database has, as the SHA-256 of their files.
create table routines (
  hash text not null
);
