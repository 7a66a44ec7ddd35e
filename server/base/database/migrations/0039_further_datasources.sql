-- A job may make several datasources: the others name the primary one, and what they are among its results.
alter table datasource add column primary_id text;
alter table datasource add column result_key text;
create index datasource_primary on datasource (primary_id, result_key) where primary_id is not null;
