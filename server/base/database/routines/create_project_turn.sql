-- Gives a new project its place among those that take turns in the queue.
create or replace function create_project_turn() returns trigger language plpgsql as $$
begin
  insert into queue_turn (project_id) values (new.id);
  return null;
end $$;

create or replace trigger project_takes_turns after insert on project
  for each row execute function create_project_turn();
