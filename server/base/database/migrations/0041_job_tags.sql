-- A job keeps the tags that its task had when it was created.
alter table job add column tags json not null default '{}';
