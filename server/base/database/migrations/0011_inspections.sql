-- Started by this service on its own disk: only those are told where bytes lie.
alter table runner add column is_embedded boolean not null default false;

-- What was found out of a content, as long as somebody in the project has it. Equal content is inspected once.
create table inspection (
  project_id text not null references project on delete cascade,
  -- SHA-256 of all that the report depends on
  report_of bytea not null,
  -- of a file: its content and its last name; of a folder null and its last name
  sha256 bytea,
  name text not null,
  format text,
  format_title text,
  kind text,
  -- in words, for lists
  summary text,
  report json not null,
  created_at timestamptz not null,
  primary key (project_id, report_of)
);
create index inspection_content on inspection (project_id, sha256, created_at);
create index inspection_created_at on inspection (project_id, created_at);

-- Of a queued inspection: the object it is about, so that newer content takes its place.
alter table job add column about text;
create index job_about on job (project_id, about) where about is not null and state = 'queued';
