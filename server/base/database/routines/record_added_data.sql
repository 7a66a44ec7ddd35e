-- Makes a data revision where a new file comes into the folder of a datasource whose current revision is pinned by a
-- release.
create or replace function record_added_data() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  this bigint := current_moment();
  served record;
begin
  if not exists (select from datasource d where d.bucket_id = any (array(select distinct bucket_id from added))) then
    return null;
  end if;
  for served in
    with fresh as materialized (
      -- what comes back from the trash has the moment that it had
      select bucket_id, folder, key, created_at, created_by from added where moment >= this
    ), folders as materialized (
      select bucket_id, folder, max(created_at) as at, max(created_by) as who from fresh group by 1, 2
    ), touched as (
      select d.id, d.data_revision, f.at, f.who from folders f cross join unnest(places_of(f.folder)) as place
        join datasource d on d.bucket_id = f.bucket_id and d.served_folder = place
      union all
      select d.id, d.data_revision, f.created_at, f.created_by from fresh f
        join datasource d on d.bucket_id = f.bucket_id and d.bucket_key = f.key
    )
    select t.id, max(t.at) as at, max(t.who) as who from touched t
    where exists (select from app_release_data p where p.datasource_id = t.id and p.revision = t.data_revision)
    group by t.id order by t.id
  loop
    perform lock_for_overwriting(served.id, served.at);
    if effect_of_overwriting(served.id, served.at) = 'new' then
      perform add_datasource_revision(served.id, 'files', null, served.at, served.who);
      update datasource set revision = revision + 1 where id = served.id;
    end if;
  end loop;
  return null;
end $$;

create or replace trigger object_served_added after insert on object
  referencing new table as added for each statement execute function record_added_data();
