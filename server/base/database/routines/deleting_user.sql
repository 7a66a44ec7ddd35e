-- The user who deletes into the trash entry of this transaction.
create or replace function deleting_user() returns text language sql stable as $$
  select deleted_by from trash_entry where id = trash_of_transaction()
$$;
