-- What clients keep in a scenario.
alter table scenario add column config json not null default '{}', add column is_public boolean not null default false;
