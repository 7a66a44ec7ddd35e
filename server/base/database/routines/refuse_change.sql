-- Refuses every change of a table that may only grow.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;

create or replace trigger audit_entry_append_only before update or delete or truncate on audit_entry
  for each statement execute function refuse_change();
