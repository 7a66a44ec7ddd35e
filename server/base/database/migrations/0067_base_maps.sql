-- The base maps that apps may choose, of the service and of projects, and what apps have chosen.
alter table service_settings add column base_maps json not null default '[]';
alter table project add column base_maps json not null default '[]';
alter table app add column base_maps text[] not null default '{}';
