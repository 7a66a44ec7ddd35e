-- Deletes the content of a bundle when its job has ended.
create or replace function delete_bundle_content() returns trigger language plpgsql as $$
begin
  delete from bundle_content where job_id = new.id;
  return null;
end $$;

create or replace trigger job_bundle_ended after update of state on job for each row
  when (old.state = 'running' and new.state <> 'running'
    and new.type_name in ('PublishApp', 'PublishDatasource', 'PublishScenario'))
  execute function delete_bundle_content();
