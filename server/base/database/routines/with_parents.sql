-- A folder and all folders above it, up to the root, which is the empty path.
create or replace function with_parents(folder text) returns table (path text, parent text) language sql immutable as $$
  select array_to_string(names[:depth], '/') || case when depth > 0 then '/' else '' end,
    case when depth > 1 then array_to_string(names[:depth - 1], '/') || '/' when depth = 1 then '' end
  from (select string_to_array(rtrim(folder, '/'), '/') as names) split,
    generate_series(0, cardinality(names)) depth
$$;
