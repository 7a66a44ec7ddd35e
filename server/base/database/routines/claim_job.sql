-- Hands the next job to a runner. It takes the highest priority band, in it the project with the fewest running jobs
-- that was served longest ago, and of that project the job of the highest priority, the oldest first.
create or replace function claim_job(
  -- the runner, the labels that it carries, the types of jobs that it knows (null: all)
  runner text, carried text[], known text[],
  -- SHA-256 of the token of this attempt, the time, that of the clock of leases, and how long the attempt is the runner's
  token bytea, at timestamptz, clock timestamptz, lease_seconds double precision,
  -- what holds where a project or a job says nothing: how many may run at once (null: any number), how long one may take
  usual_limit integer, usual_seconds integer
) returns setof job language plpgsql
-- plans must not depend on what the statistics said when a connection was young
set enable_seqscan = off set enable_bitmapscan = off set jit = off set plan_cache_mode = force_generic_plan
as $$
declare
  party record;
  head record;
  jobs_running bigint;
  is_free boolean;
  has_turn boolean;
  is_busy boolean;
  is_contended boolean := false;
  look_again job;
begin
  for wanted in reverse 1..-1 loop
    -- A project that another claim serves at this moment comes last, and where all are served, chance decides: what is not
    -- committed yet is not counted, and claims at the same time would all take the same one.
    for round in 1..2 loop
      is_busy := false;
      for party in
        with recursive lane as (
          (select j.project_id, hash_array_extended(j.labels, 0) as number, j.type_name,
            j.labels <@ carried and (known is null or j.type_name = any (known)) as fits
          from job j
          where j.state = 'queued' and j.not_before is null and not j.is_held and j.band = wanted
          order by j.project_id, hash_array_extended(j.labels, 0), j.type_name limit 1)
          union all
          select after.* from lane before cross join lateral (
            select j.project_id, hash_array_extended(j.labels, 0), j.type_name,
              j.labels <@ carried and (known is null or j.type_name = any (known))
            from job j
            where j.state = 'queued' and j.not_before is null and not j.is_held and j.band = wanted
              -- one lane that fits is enough to know of a project
              and (j.project_id, hash_array_extended(j.labels, 0), j.type_name) > (before.project_id,
                case when before.fits then 9223372036854775807 else before.number end, before.type_name)
            order by j.project_id, hash_array_extended(j.labels, 0), j.type_name limit 1
          ) after
        )
        select lane.project_id, p.most
        from lane
        cross join lateral (
          select coalesce(p.max_running_jobs, usual_limit) as most from project p
          where p.id = lane.project_id and p.deleted_at is null offset 0 -- a deleted project may have jobs that came late
        ) p
        cross join lateral (
          select t.turn from queue_turn t where t.project_id = lane.project_id offset 0
        ) t
        cross join lateral (
          -- in the order of the index of the running ones, so that no other is thought of
          select count(*) as jobs from (
            select from job j where j.state = 'running' and j.project_id = lane.project_id order by j.task_id offset 0
          ) j
        ) running
        where lane.fits and coalesce(running.jobs < p.most, true)
        order by running.jobs, case round when 2 then random() end, t.turn, lane.project_id
      loop
        perform from queue_turn t where t.project_id = party.project_id for no key update skip locked;
        has_turn := found;
        if not has_turn and (round = 1 or party.most is not null) then
          is_busy := true;
          continue;
        end if;
        if party.most is not null then
          select count(*) into jobs_running from (
            select from job j where j.state = 'running' and j.project_id = party.project_id order by j.task_id offset 0
          ) j;
          continue when jobs_running >= party.most;
        end if;
        is_free := false;
        for head in
          with recursive lane as (
            (select hash_array_extended(j.labels, 0) as number, j.type_name, j.labels
            from job j
            where j.state = 'queued' and j.not_before is null and not j.is_held and j.band = wanted
              and j.project_id = party.project_id
            order by hash_array_extended(j.labels, 0), j.type_name limit 1)
            union all
            select after.* from lane before cross join lateral (
              select hash_array_extended(j.labels, 0), j.type_name, j.labels
              from job j
              where j.state = 'queued' and j.not_before is null and not j.is_held and j.band = wanted
                and j.project_id = party.project_id
                and (hash_array_extended(j.labels, 0), j.type_name) > (before.number, before.type_name)
              order by hash_array_extended(j.labels, 0), j.type_name limit 1
            ) after
          )
          select first.id
          from lane cross join lateral (
            select j.id, j.priority, j.created_at
            from job j
            where j.state = 'queued' and j.not_before is null and not j.is_held and j.band = wanted
              and j.project_id = party.project_id and hash_array_extended(j.labels, 0) = lane.number
              and j.type_name = lane.type_name and j.labels <@ carried
            order by j.priority desc, j.created_at, j.id limit 16
          ) first
          where lane.labels <@ carried and (known is null or lane.type_name = any (known))
          order by first.priority desc, first.created_at, first.id
        loop
          select j.state = 'queued' and j.not_before is null and not j.is_held and j.band = wanted into is_free
          from job j where j.id = head.id for no key update skip locked;
          exit when is_free;
          is_contended := true; -- or it was taken just now, and there are more behind
        end loop;
        continue when is_free is not true;
        if has_turn then
          update queue_turn t set turn = nextval('queue_turns') where t.project_id = party.project_id;
        end if;
        return query update job j set state = 'running', attempt = j.attempt + 1, runner_id = runner, token_hash = token,
            lease_until = clock + make_interval(secs => lease_seconds), start_time = coalesce(j.start_time, at),
            deadline_at = clock + make_interval(secs => coalesce(j.timeout_seconds, usual_seconds)),
            is_limited = party.most is not null, progress = null, stages = '[]', warnings = '[]', rejected = 0, log_received = 0,
            revision = j.revision + 1, updated_at = at
          where j.id = head.id returning j.*;
        return;
      end loop;
      exit when not is_busy;
    end loop;
    is_contended := is_contended or is_busy;
  end loop;
  if is_contended then
    return next look_again;
  end if;
end $$;
