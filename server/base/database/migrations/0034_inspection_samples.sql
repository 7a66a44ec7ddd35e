-- Some features of each layer of what was inspected, for a table and a map of them; they go with the inspection.
create table inspection_sample (
  project_id text not null,
  report_of bytea not null,
  -- in the order of the report
  position integer not null,
  layer text not null,
  is_whole boolean not null,
  -- GeoJSON
  features json not null,
  primary key (project_id, report_of, position),
  foreign key (project_id, report_of) references inspection on delete cascade
);
