-- Names of the tools that an app offers, and that a release keeps.
alter table app add column tools text[] not null default '{}';
alter table app_release add column tools text[] not null default '{}';
