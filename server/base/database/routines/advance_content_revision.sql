-- Advances the revision of a file, and its moment, when its content changes.
create or replace function advance_content_revision() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  -- whoever waited for the lock of the row comes later, also where its transaction began earlier
  new.moment := greatest(current_moment(), old.moment + 1);
  new.content_at := new.updated_at;
  new.content_by := new.updated_by;
  return new;
end $$;

create or replace trigger object_content before update on object for each row
  when (old.sha256 <> new.sha256 or old.size <> new.size) execute function advance_content_revision();
