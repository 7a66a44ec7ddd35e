-- The folders that contain a key, each ending in /, and the key itself.
create or replace function places_of(key text) returns text[] language sql immutable as $$
  select array_agg(array_to_string(names[:depth], '/') || case when depth < cardinality(names) then '/' else '' end)
  from (select string_to_array(key, '/') as names) split, generate_series(1, cardinality(names)) depth
$$;
