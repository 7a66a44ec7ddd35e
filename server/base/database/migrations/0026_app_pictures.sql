-- What links to an app are shown with; of an app without one the service draws it.
create table app_picture (
  project_id text not null,
  app_id text primary key,
  blob_id text not null references blob,
  size bigint not null,
  sha256 bytea not null,
  content_type text not null,
  width integer not null,
  height integer not null,
  created_at timestamptz not null,
  created_by text not null,
  foreign key (project_id, app_id) references app (project_id, id) on delete cascade
);
create index app_picture_blob on app_picture (blob_id);

-- Of an app in the trash.
create table trash_app_picture (
  entry_id text not null references trash_entry on delete cascade,
  project_id text not null,
  app_id text not null,
  blob_id text not null references blob,
  size bigint not null,
  sha256 bytea not null,
  content_type text not null,
  width integer not null,
  height integer not null,
  created_at timestamptz not null,
  created_by text not null,
  primary key (entry_id, app_id)
);
create index trash_app_picture_blob on trash_app_picture (blob_id);

create function app_picture_gone() returns trigger language plpgsql as $$
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
create trigger app_picture_deleted after delete on app_picture
  referencing old table as gone for each statement execute function app_picture_gone();

-- Back to its app, or for good.
create function trash_app_picture_gone() returns trigger language plpgsql as $$
begin
  update blob b set unneeded_since = now() where unneeded_since is null and id in (select blob_id from gone)
    and not exists (select from app_picture p where p.blob_id = b.id);
  return null;
end $$;
create trigger trash_app_picture_deleted after delete on trash_app_picture
  referencing old table as gone for each statement execute function trash_app_picture_gone();

alter table kept_usage drop constraint kept_usage_kind_check;
alter table kept_usage add check (kind in ('revisions', 'trash', 'jobFiles', 'pictures'));
create trigger app_picture_counted after insert on app_picture
  referencing new table as added for each statement execute function count_kept('pictures');
create trigger app_picture_uncounted after delete on app_picture
  referencing old table as gone for each statement execute function count_kept_gone('pictures');
create trigger trash_app_picture_counted after insert on trash_app_picture
  referencing new table as added for each statement execute function count_kept('trash');
create trigger trash_app_picture_uncounted after delete on trash_app_picture
  referencing old table as gone for each statement execute function count_kept_gone('trash');
