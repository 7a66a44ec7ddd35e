-- Moves the deleted preview picture of an app to the trash entry of the transaction. Without an entry its blob becomes
-- unneeded.
create or replace function keep_deleted_app_picture() returns trigger language plpgsql as $$
declare
  entry text := trash_of_transaction();
begin
  if entry is null then
    update blob set unneeded_since = now() where unneeded_since is null and id in (select blob_id from gone);
    return null;
  end if;
  insert into trash_app_picture
      (entry_id, project_id, app_id, blob_id, size, sha256, content_type, width, height, created_at, created_by)
    select entry, project_id, app_id, blob_id, size, sha256, content_type, width, height, created_at, created_by from gone;
  update trash_entry set bytes = bytes + (select coalesce(sum(size), 0) from gone) where id = entry;
  return null;
end $$;

create or replace trigger app_picture_deleted after delete on app_picture
  referencing old table as gone for each statement execute function keep_deleted_app_picture();
