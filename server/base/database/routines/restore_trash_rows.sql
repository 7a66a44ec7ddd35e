-- Restores the rows of one table from a trash entry. Columns that were added since get their defaults; columns that
-- were dropped since are left out.
create or replace function restore_trash_rows(entry text, wanted text) returns void language plpgsql as $$
declare
  columns text;
  values text;
begin
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum),
    string_agg('p.' || quote_ident(a.attname), ', ' order by a.attnum) into columns, values
  from pg_attribute a, (select content from trash_row where entry_id = entry and source = wanted limit 1) first
  where a.attrelid = wanted::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and first.content -> a.attname is not null;
  if columns is null then return; end if;
  execute format('insert into %1$I (%2$s) select %3$s from trash_row r, json_populate_record(null::%1$I, r.content) p
    where r.entry_id = $1 and r.source = $2 order by r.position', wanted, columns, values)
    using entry, wanted;
end $$;
