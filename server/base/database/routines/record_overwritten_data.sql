-- Makes a data revision of the datasources whose files were overwritten: one for all uploads within five minutes of
-- each other.
create or replace function record_overwritten_data() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  this bigint := current_moment();
  served record;
  effect text;
begin
  if not exists (select from datasource d where d.bucket_id = any (array(select distinct bucket_id from kept))) then
    return null;
  end if;
  for served in
    with changed as materialized (
      select bucket_id, key, content_at, content_by from kept where moment >= this
    ), folders as (
      select bucket_id, left(key, length(key) - strpos(reverse(key) || '/', '/') + 1) as folder,
        max(content_at) as at, max(content_by) as who
      from changed group by 1, 2
    ), touched as (
      select d.id, f.at, f.who from folders f cross join unnest(places_of(f.folder)) as place
        join datasource d on d.bucket_id = f.bucket_id and d.served_folder = place
      union all
      select d.id, c.content_at, c.content_by from changed c
        join datasource d on d.bucket_id = c.bucket_id and d.bucket_key = c.key
    )
    select id, max(at) as at, max(who) as who from touched group by id order by id
  loop
    perform lock_for_overwriting(served.id, served.at);
    effect := effect_of_overwriting(served.id, served.at);
    if effect = 'new' then
      perform add_datasource_revision(served.id, 'files', null, served.at, served.who);
      update datasource set revision = revision + 1 where id = served.id;
    elsif effect = 'touch' then
      update datasource set data_updated_at = served.at, data_updated_by = served.who, revision = revision + 1
        where id = served.id;
    end if;
  end loop;
  return null;
end $$;

create or replace trigger object_served after update on object
  referencing old table as gone new table as kept for each statement execute function record_overwritten_data();
