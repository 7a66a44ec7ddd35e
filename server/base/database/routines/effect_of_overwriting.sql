-- What an upload into the files of a datasource does to its revisions: it joins the current revision, or makes a new
-- one. It never joins a revision that a release pins.
create or replace function effect_of_overwriting(wanted text, at timestamptz) returns text language sql stable as $$
  select case
    when r.moment >= current_moment() then null
    when r.cause <> 'files' or d.data_updated_at < at - interval '5 minutes' or exists (
      select from app_release_data p where p.datasource_id = d.id and p.revision = d.data_revision) then 'new'
    when d.data_updated_at < at - interval '10 seconds' then 'touch'
  end
  from datasource d join datasource_revision r on r.datasource_id = d.id and r.revision = d.data_revision
  where d.id = wanted
$$;
