-- What super users change while the service runs: one row, that is always there.
create table service_settings (
  is_only boolean primary key default true check (is_only),
  name text not null default 'Platen',
  lists_public_apps boolean not null default false,
  revision integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by text not null default ''
);
insert into service_settings default values;
create index app_public on app (id) where is_public;
