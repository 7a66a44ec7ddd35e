-- The program that a request came from, as it names itself. Entries can be listed by action and by who acted.
alter table audit_entry add column user_agent text not null default '';
create index audit_entry_action on audit_entry (action, created_at, id);
create index audit_entry_actor on audit_entry (actor_id, created_at, id);
-- Its trigger refused every deletion; routines/refuse_change.sql now lets old entries go.
drop trigger audit_entry_append_only on audit_entry;
