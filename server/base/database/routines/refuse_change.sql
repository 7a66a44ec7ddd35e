-- Refuses every change of the audit log, and the deletion of entries from the last 30 days.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.created_at < now() - interval '30 days' then
    return old;
  end if;
  raise exception 'the audit log is append-only';
end $$;

create or replace trigger audit_entry_append_only before update or truncate on audit_entry
  for each statement execute function refuse_change();
create or replace trigger audit_entry_kept before delete on audit_entry
  for each row execute function refuse_change();
