-- What the service has found in the data of a datasource.
alter table datasource add column facts json;
alter table datasource_revision add column facts json;
