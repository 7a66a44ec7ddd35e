-- Adds a revision of a datasource. The datasource stays locked until the transaction ends, so that its data has one
-- writer at a time.
create or replace function add_datasource_revision(wanted text, why text, job text, at timestamptz, who text) returns void
language plpgsql as $$
declare
  before datasource_revision;
  this bigint;
begin
  select * into before from datasource_revision where datasource_id = wanted order by revision desc limit 1;
  this := greatest(current_moment(), before.moment + 1);
  if before.moment = current_moment() then
    -- the same transaction has changed its files, and now says why
    delete from datasource_revision where datasource_id = wanted and revision = before.revision;
    this := before.moment;
  else
    update datasource_revision set until = this, replaced_at = at
      where datasource_id = wanted and revision = before.revision;
    before.revision := coalesce(before.revision, 0) + 1;
  end if;
  insert into datasource_revision (project_id, datasource_id, revision, cause, type, type_properties, source_properties,
      bucket_id, bucket_key, served_folder, former_names, bbox, facts, properties, job_id, moment, created_at, created_by)
    select project_id, id, before.revision, why, type, type_properties, source_properties,
      bucket_id, bucket_key, served_folder, former_names, bbox, facts, properties, job, this, at, who
    from datasource where id = wanted;
  update datasource set data_revision = before.revision, data_updated_at = at, data_updated_by = who where id = wanted;
end $$;
