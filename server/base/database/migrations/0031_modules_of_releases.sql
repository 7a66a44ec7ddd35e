-- So that lists of releases do not read the modules of each, which are up to 16 MiB.
alter table app_release add column number_of_modules integer not null generated always as (json_array_length(modules)) stored;
