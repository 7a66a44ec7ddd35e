-- The files that a job wrote, as they were then: those of its pages or, if it has none, those in its row.
create or replace function files_of_job(of_job text)
returns table (bucket_id text, key text, size bigint, sha256 text) language sql stable as $$
  select made."dataBucketId", made."dataBucketKey", made.size, made.sha256
  from (
    select p.outputs from job_output_page p where p.job_id = of_job
    union all
    select j.outputs from job j where j.id = of_job
      and not exists (select from job_output_page p where p.job_id = of_job)
  ) listed cross join json_to_recordset(listed.outputs)
    as made (type text, "dataBucketId" text, "dataBucketKey" text, size bigint, sha256 text)
  where made.type = 'object'
$$;
