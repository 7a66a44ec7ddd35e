-- The trash entry that this transaction deletes into; null where it deletes for good. While it is set, every deleted
-- row is kept there, whatever deletes it.
create or replace function trash_of_transaction() returns text language sql stable as $$
  select nullif(current_setting('platen.trash', true), '')
$$;
