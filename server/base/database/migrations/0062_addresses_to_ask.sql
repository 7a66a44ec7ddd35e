-- When the address of an external datasource is asked (again) for what it serves; null: nothing more is to be found.
alter table datasource add column ask_at timestamptz;
create index datasource_ask on datasource (ask_at) where ask_at is not null;
update datasource set ask_at = now()
where source_properties ->> 'type' = 'external' and type <> 'generic' and facts is null;
