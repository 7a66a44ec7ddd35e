-- What a publishing job carries away, as it was at the first look of its attempt: whoever asks for the next files of the
-- bundle gets them from the same content, on any replica.
create table bundle_content (
  job_id text primary key references job on delete cascade,
  attempt integer not null,
  content json not null,
  created_at timestamptz not null
);

create function forget_bundle_content() returns trigger language plpgsql as $$
begin
  delete from bundle_content where job_id = new.id;
  return null;
end $$;
create trigger job_bundle_ended after update of state on job for each row
  when (old.state = 'running' and new.state <> 'running'
    and new.type_name in ('PublishApp', 'PublishDatasource', 'PublishScenario'))
  execute function forget_bundle_content();
