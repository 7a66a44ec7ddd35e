-- A job may leave a hundred thousand files: its row names the first ones, and pages of a thousand all of them.
alter table job add column output_files json;
create table job_output_page (
  job_id text not null references job(id) on delete cascade,
  page integer not null,
  outputs json not null,
  primary key (job_id, page)
);
