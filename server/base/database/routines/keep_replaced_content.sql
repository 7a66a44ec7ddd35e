-- Keeps a replaced content as a revision, and marks its blob as unneeded where the new content is equal.
-- It loops because PL/pgSQL keeps query plans for a session: one planned for one file would be reused for thousands.
create or replace function keep_replaced_content() returns trigger language plpgsql
  set enable_nestloop = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  insert into object_revision (project_id, object_id, revision, blob_id, size, sha256, content_type, moment, until,
      created_at, created_by, replaced_at, replaced_by)
    select gone.project_id, gone.id, gone.revision, gone.blob_id, gone.size, gone.sha256, gone.content_type, gone.moment,
      kept.moment, coalesce(gone.content_at, gone.created_at), coalesce(gone.content_by, gone.created_by),
      kept.content_at, kept.content_by
    from gone join kept on kept.id = gone.id and kept.revision > gone.revision;
  update blob set unneeded_since = now()
    where unneeded_since is null and id = any (array(
      select gone.blob_id from gone join kept on kept.id = gone.id
      where kept.revision = gone.revision and kept.blob_id <> gone.blob_id));
  return null;
end $$;

create or replace trigger object_replaced after update on object
  referencing old table as gone new table as kept for each statement execute function keep_replaced_content();
