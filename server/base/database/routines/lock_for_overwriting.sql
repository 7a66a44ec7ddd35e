-- Locks a datasource before its files are overwritten. Uploads share the lock, unless one changes the datasource
-- itself; whatever replaces all of its data excludes them.
create or replace function lock_for_overwriting(wanted text, at timestamptz) returns void language plpgsql as $$
begin
  if effect_of_overwriting(wanted, at) is null then
    perform from datasource where id = wanted for share skip locked;
    if found then return; end if;
    -- whoever has it may be making a revision: after that each of those who wait may have to make the next
  end if;
  perform from datasource where id = wanted for no key update;
end $$;
