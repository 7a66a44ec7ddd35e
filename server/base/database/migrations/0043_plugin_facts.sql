-- What the archive of a plugin has besides the files that are served.
alter table map_plugin add column has_readme boolean not null default false,
  add column has_changelog boolean not null default false, add column license text;
