-- The logical time of this transaction: contents and data revisions of one transaction share a moment, and later
-- transactions have a greater one.
create or replace function current_moment() returns bigint language plpgsql as $$
declare
  moment text := current_setting('platen.moment', true);
begin
  if coalesce(moment, '') = '' then
    moment := set_config('platen.moment', nextval('content_moment')::text, true);
  end if;
  return moment::bigint;
end $$;
