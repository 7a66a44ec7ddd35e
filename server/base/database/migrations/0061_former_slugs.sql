-- Apps of deleted projects give their addresses free, and get them back when the project is restored.
alter table app add column former_slug text;
update app a set former_slug = a.slug, slug = null
from project p where p.id = a.project_id and p.deleted_at is not null and a.slug is not null;
