-- How the data of a revision was made, for as long as the revision is kept, even if its job is deleted.
alter table datasource_revision add column lineage json;
