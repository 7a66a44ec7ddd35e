-- A name for the address of the app, besides its id.
alter table app add column slug text unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$');
-- Whose pages may show it in a frame.
alter table app add column frame_origins text[] not null default '{}';
-- The release that is shown; null: what its modules are now.
alter table app add column release_id text;
-- When it becomes public by itself, and when it ends being so.
alter table app add column public_from timestamptz;
alter table app add column public_until timestamptz;

-- What is odd about it, as it was found when it was written last.
alter table app add column warnings json not null default '[]';
alter table module add column warnings json not null default '[]';
