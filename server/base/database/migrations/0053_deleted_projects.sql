-- A deleted project stays for a while, and can be restored. Nobody can reach anything in it.
alter table project add column deleted_at timestamptz, add column deleted_by text;
create index project_deleted on project (deleted_at) where deleted_at is not null;
