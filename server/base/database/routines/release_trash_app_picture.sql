-- Marks the blobs of preview pictures that leave the trash for good as unneeded. A restored picture returns to its app.
create or replace function release_trash_app_picture() returns trigger language plpgsql as $$
begin
  update blob b set unneeded_since = now() where unneeded_since is null and id in (select blob_id from gone)
    and not exists (select from app_picture p where p.blob_id = b.id);
  return null;
end $$;

create or replace trigger trash_app_picture_deleted after delete on trash_app_picture
  referencing old table as gone for each statement execute function release_trash_app_picture();
